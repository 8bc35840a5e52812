from __future__ import annotations

import sys
from pathlib import Path

# The player is imported as a module of its own, from wherever pytest is started.
sys.path.insert(0, str(Path(__file__).parent))
