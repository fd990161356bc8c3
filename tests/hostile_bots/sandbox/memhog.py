# expect: MEMORY
# Fills its memory until that ends it.
from wire import enter

enter()
kept = []
while True:
    kept.append(b"x" * (8 << 20))
