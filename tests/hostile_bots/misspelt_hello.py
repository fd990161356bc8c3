# expect: START
# Misspells a field of its hello.
from wire import enter

enter(tabels=4)
