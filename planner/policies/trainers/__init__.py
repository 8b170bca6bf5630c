"""The kinds of training, one per file; `fsplan.planner.policies.pipeline` lists them."""
