"""From a submission to programs: the table of languages, compiling in a sandbox, the cache of compiles."""
