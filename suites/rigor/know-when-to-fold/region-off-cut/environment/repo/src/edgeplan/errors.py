"""What can be wrong with a fleet."""


class FleetError(ValueError):
    """The fleet file cannot be used; the message says where and why."""
