"""The tables of the report, from raw runs: cells that say what they rest on, in Markdown, CSV, LaTeX and HTML."""
