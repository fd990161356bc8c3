# expect: START
# Prints a banner where its hello should be.
from wire import enter

print("Hello, I am Debby the debugger!", flush=True)
enter()
