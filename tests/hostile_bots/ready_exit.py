# expect: EXIT
# Gets ready and is gone before any match begins.
from wire import enter

enter()
