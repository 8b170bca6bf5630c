"""Helpers that all other folders import: quantities, limits, files, optional packages."""
