"""Build hook: which copy of the suites a wheel carries. RIGORBENCH_SUITES names a sealed one (`make sealed-wheel`)."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Suites(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":  # an editable install finds them in the checkout
            build_data["force_include"][os.environ.get("RIGORBENCH_SUITES", "suites")] = "rigorbench/_data/suites"
