"""From tasks to trained policies."""
