"""Scripted models: policies that play the part of a model, so that everything else can run without one."""
