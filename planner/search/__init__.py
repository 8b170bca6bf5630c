"""From a request to a result: single searches and the portfolio."""
