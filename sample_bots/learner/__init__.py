"""SheepZzz as learnt from playing."""
