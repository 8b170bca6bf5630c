"""Search graphs enumerated into arrays, written and drawn."""
