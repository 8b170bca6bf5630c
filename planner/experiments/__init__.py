"""Experiments: sweeps that can be resumed, comparisons of searches, the paper's figures, and the report page."""
