"""Sources of tasks. A new source needs a file in this folder, which declares it, and a line in `registry`."""
