"""Any game, by playing it out in imagined worlds."""
