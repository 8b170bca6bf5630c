"""Policies, which give a probability to each applicable action of a state: their kinds, training and files."""
