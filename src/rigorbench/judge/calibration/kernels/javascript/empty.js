// Nothing: what the engine itself needs.
