"""A small fleet for the tests."""

FLEET = """
[regions.fra]
title = "Frankfurt"
entry = "198.51.100.10"

[regions.osl]
title = "Oslo"
entry = "198.51.100.20"

[services.chat]
minimum = 30

[services.shop]

[[hosts]]
name = "fra-a"
region = "fra"
weight = 20
services = ["chat", "shop"]

[[hosts]]
name = "osl-a"
region = "osl"
weight = 30
services = ["chat"]
"""


def with_host(*lines: str) -> str:
    return FLEET + "\n[[hosts]]\n" + "\n".join(lines) + "\n"
