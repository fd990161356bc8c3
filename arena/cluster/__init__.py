"""Many machines: Dask carries batches of blocks to workers elsewhere.  It knows no ladder and no database."""
