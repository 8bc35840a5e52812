"""The client for agents: one file that runs by itself with Python 3.8 or later."""

from pathlib import Path

CLIENT_FILE = Path(__file__).with_name("oj_client.py")
