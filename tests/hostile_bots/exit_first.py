# expect: START
# Ends before it says a word.
raise SystemExit(0)
