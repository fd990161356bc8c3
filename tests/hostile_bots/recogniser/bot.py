# expect: OK
"""Remembers everything it was ever told, and says aloud when it meets something again."""

import json
import os
import sys

sys.path.append(os.environ["KIT"] if "KIT" in os.environ else os.path.dirname(os.path.abspath(__file__)))
from flock_bot import run

KNOWN = {}


class Recogniser:
    def start(self, start):
        self.match = start["match"]
        self.first = True
        for key in ("match", "commitment", "seed"):
            self.remember(key, start[key])

    def ask(self, request):
        self.remember("id", request["id"])
        if self.first:
            self.first = False
            self.remember("deal", json.dumps([request["view"], request["options"]], sort_keys=True))
        return 0

    def remember(self, kind, value):
        again = KNOWN.setdefault((kind, value), self.match) != self.match
        with open("diary.jsonl", "a") as diary:
            diary.write(json.dumps([os.getpid(), self.match, kind, value, again]) + "\n")


run(Recogniser)
