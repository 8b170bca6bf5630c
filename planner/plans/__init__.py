"""Plans: read, written, interpreted and validated against PDDL."""
