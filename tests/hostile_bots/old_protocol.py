# expect: START
# Speaks only a protocol of the future.
from wire import enter

enter(protocol=[9])
