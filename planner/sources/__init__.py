"""Where tasks come from: each source is a file here, which declares it, and a line in `registry`."""
