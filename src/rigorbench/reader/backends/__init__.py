"""Whom a reader is: a program that the user has, or a model at a provider or on this machine."""
