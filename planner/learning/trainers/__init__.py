"""The kinds of training, one per file; `fsplan.planner.learning.pipeline` lists them."""
