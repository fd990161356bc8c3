# expect: START
# Plays another game.
from wire import enter

enter(games=["chess", "go"])
