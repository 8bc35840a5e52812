"""Shell command lines: the simple commands they run, and how each one's exit status reaches the line's."""
