"""Experiments: sweeps that resume, comparisons, the paper's figures, the report page."""
