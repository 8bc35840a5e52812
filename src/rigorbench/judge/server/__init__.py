"""The judge as a service: HTTP, a queue on disk, tokens and budgets."""
