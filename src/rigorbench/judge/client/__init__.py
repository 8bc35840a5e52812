"""What an agent submits with."""
