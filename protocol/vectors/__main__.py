"""Write `vectors.json` and `schema.json` anew."""

from __future__ import annotations

from protocol.vectors import SCHEMA, VECTORS, schema_text, vectors_text

if __name__ == "__main__":
    VECTORS.write_text(vectors_text(), encoding="utf-8")
    SCHEMA.write_text(schema_text(), encoding="utf-8")
