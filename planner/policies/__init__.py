"""Policies: which action looks best in a state. Networks, synthetic tables, training, files."""
