"""What the engine's hooks record of a running sample: model calls and tokens; and the context of what it runs."""
