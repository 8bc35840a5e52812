"""One package per log format; :mod:`rigorbench.trajectory.registry` lists them in order of detection."""
