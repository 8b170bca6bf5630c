"""The version of fsplan."""

__version__ = "0.1.0"
