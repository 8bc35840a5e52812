"""The entrance exam of judges."""
