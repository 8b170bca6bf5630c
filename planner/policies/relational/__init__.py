"""Policies for a domain: learned on small tasks, used on every task of the domain."""
