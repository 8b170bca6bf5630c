"""Puzzles whose state spaces are written in C++: their names, instances, pattern databases and training data."""
