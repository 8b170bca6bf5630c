"""Tasks: everything becomes a labelled graph with numbered actions."""
