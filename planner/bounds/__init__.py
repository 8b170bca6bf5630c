"""Lower bounds on the cost of every plan, proven at the start without a search. See docs/bounds.md."""
