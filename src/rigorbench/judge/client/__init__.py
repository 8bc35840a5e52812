"""What an agent submits with: one file that runs by itself wherever there is Python 3.8."""

from pathlib import Path

CLIENT_FILE = Path(__file__).with_name("oj_client.py")
