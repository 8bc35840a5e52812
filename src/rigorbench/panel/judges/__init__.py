"""Language models as judges: providers, prompts, cost."""
