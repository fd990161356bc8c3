# expect: START
# Says hello with a name of a thousand letters.
from wire import enter

enter(name="x" * 1000)
