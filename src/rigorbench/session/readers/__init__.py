"""One package per log format; :mod:`rigorbench.session.registry` lists them in order of detection."""
