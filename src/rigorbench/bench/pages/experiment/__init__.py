"""An experiment: its pages and its terminal view."""
