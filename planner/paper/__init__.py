"""The reproduction of the paper; only the command line imports it."""
