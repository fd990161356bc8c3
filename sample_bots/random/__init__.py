"""Any option, by chance."""
