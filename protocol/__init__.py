"""Words on the wire: messages, bytes, frames and what may be said when.  No input or output here."""
