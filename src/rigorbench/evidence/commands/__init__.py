"""What a simple command does: a test run, a build, a commit, a look around."""
