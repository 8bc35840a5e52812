"""The recorded box for agents: bubblewrap with a supervisor on the host."""
