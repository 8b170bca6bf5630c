"""Reading, normalising and grounding PDDL."""
