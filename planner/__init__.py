"""Searches, policies, orders, heuristics, the command line."""
