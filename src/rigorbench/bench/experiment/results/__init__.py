"""Results of experiments as tables: one row per run, in Parquet and for SQL (docs/results.md)."""
