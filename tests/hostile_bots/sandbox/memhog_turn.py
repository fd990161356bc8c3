# expect: MEMORY
# Fills its memory at its first decision, until that ends it.
from wire import enter, requests

enter()
kept = []
for _ in requests():
    while True:
        kept.append(b"x" * (8 << 20))
