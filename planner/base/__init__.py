"""What every other room may use: quantities, limits, files, optional packages."""
