"""Bots as their authors write and run them: a kit, an address and a token."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import sample_bots

KITS = Path(sample_bots.__file__).parent

PYTHON = """
import sys
sys.path.append({kits})
from flock_bot import run
run(lambda view, options: len(options) - 1, url={url}, token={token})
"""
JAVASCRIPT = """
import {{ run }} from {kit};
delete globalThis.crypto;  // Node 18 has none
run((view, options) => options.length - 1, {{ url: {url}, token: {token} }});
"""
PAGE = """
const {{ exit }} = process;
globalThis.process = undefined;  // a page has none
const {{ run }} = await import({kit});
run((view, options) => 0, {{ url: {url}, token: {token} }});
setTimeout(exit, 120_000);
"""
LIKE_A_PAGE = "--experimental-websocket"
SOURCES = {"python": PYTHON, "javascript": JAVASCRIPT, "page": PAGE}


def kit_command(folder: Path, language: str, url: str, token: str) -> list[str]:
    """What an author types; the program is written into the folder."""
    words = {"kits": str(KITS), "kit": str(KITS / "flock_bot.mjs"), "url": url, "token": token}
    source = SOURCES[language].format(**{key: json.dumps(word) for key, word in words.items()})
    if language == "python":
        return [sys.executable, "-c", source]
    file = folder / f"{token[-8:]}.mjs"
    file.write_text(source)
    return ["node", *([LIKE_A_PAGE] if language == "page" else []), str(file)]


def can_be_like_a_page() -> bool:
    """Node 18 of Debian 12 knows no websockets but those the kit brings."""
    return subprocess.run(["node", LIKE_A_PAGE, "-e", ""], capture_output=True, check=False).returncode == 0
