"""Proofs of lower bounds: the writer, and checkers that import nothing of fsplan."""
