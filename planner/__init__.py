"""The planner: searches, policies, orders, heuristics and the command line."""
