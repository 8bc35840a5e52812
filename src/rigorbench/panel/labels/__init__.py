"""What people say of plans, refusals, commits and error episodes, blind to scores: the yardstick of every judge."""
