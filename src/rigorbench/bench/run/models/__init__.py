"""Scripted models: a policy plays the model, so that everything else can run without one."""
