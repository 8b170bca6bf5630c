"""Native puzzles as task sources."""
