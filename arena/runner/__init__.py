"""Many matches: blocks go out to worker processes, whole blocks come back.  It knows no ladder and no database."""
