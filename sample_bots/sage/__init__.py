"""A language model at the table."""
