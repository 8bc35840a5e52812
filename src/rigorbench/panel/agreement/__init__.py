"""How far judges, features and people agree."""
