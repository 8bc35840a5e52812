"""Code review: rules on a parse tree, criteria put to the panel."""
