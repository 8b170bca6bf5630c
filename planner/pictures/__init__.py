"""Searches recorded, drawn and replayed."""
