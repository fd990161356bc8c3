# expect: EXIT
# Its last words clear the screen, forge a line of the arena's log, and are no text.
import os

from wire import enter, requests

enter()
for _ in requests():
    os.write(
        2,
        b"\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\r2026-01-01 referee: quiet forfeits\x00\xff\xfe[/bold]",
    )
    os._exit(1)
