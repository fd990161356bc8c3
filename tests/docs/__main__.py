"""Writes the generated parts of the pages anew: python -m tests.docs."""

from __future__ import annotations

from tests.docs.generated import PARTS
from tests.docs.pages import all_pages, parts_in, with_parts

if __name__ == "__main__":
    for path in all_pages():
        text = path.read_text("utf-8")
        made = with_parts(text, {name: PARTS[name]() for name in parts_in(text)})
        if made != text:
            path.write_text(made, "utf-8")
            print(path.name)
