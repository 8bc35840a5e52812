"""Plans which host serves what, for the balancers and the name servers."""

from .errors import FleetError
from .fleet import Fleet, Host, Region, Service
from .loading import load, parse
from .states import State, in_service, state_of

__all__ = ["Fleet", "FleetError", "Host", "Region", "Service", "State", "in_service", "load", "parse", "state_of"]
