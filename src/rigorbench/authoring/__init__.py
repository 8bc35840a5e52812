"""What only authors of tasks run: scaffold, checklist, proofs, seal. Nothing that users run imports it."""
