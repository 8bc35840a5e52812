"""What readers of several formats share: the builder of sessions, loosely typed JSON values, token counts."""
