"""Problem packages: the Kattis 2025-09 layout plus four keys; import, export, proof."""

from pathlib import Path
from typing import Final

# On the include path of checkers, interactors and validators: a small header that knows the usual calls of testlib.
RESOURCES: Final = Path(__file__).parent / "resources"
