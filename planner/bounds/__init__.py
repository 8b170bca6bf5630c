"""Lower bounds on the cost of every plan, proven for the initial state without a search. See docs/bounds.md."""
