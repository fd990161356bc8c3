"""Packing: a match document as few bytes as can be, and back.  What a document says is the record's business."""

from arena.packing.document import FIELDS, Document, EditionMissing, pack, unpack

__all__ = ["FIELDS", "Document", "EditionMissing", "pack", "unpack"]
