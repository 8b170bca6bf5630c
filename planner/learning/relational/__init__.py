"""Policies for whole domains, learned from small tasks."""
