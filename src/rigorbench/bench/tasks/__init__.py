"""Suites of tasks in Harbor's layout: read, checked, proved, sealed. Nothing here runs an agent."""
