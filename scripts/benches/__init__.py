"""The suites of scripts/bench.py, one module per subject."""
