"""Tasks: PDDL, .sas files, puzzles and Python objects as state spaces with numbered actions."""
