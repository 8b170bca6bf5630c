"""Policies for all tasks of a PDDL domain, which are learned from small tasks."""
