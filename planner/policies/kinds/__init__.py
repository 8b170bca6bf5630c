"""The kinds of policies, one per file; `fsplan.planner.policies.registry` lists them."""
