"""The checks, a few of one kind in a module; a module here is registered by being here."""
