# expect: START
# Dies of a signal before it says a word.
import os

os.abort()
