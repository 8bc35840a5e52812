"""Sessions over time and beside each other: trends, the comparison of two, advice from what recurs."""
