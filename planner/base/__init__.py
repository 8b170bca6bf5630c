"""Parts that all other rooms may use: quantities, limits, files, optional packages."""
