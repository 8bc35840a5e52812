# rigorbench-canary 46313971-778e-43f3-8d39-b375293e114e
"""Whether the obstacle stands: records carry a key that is in no file and in no commit, so nobody can check their seals.

Run in the root of the repository. Whatever could be a secret in the work tree or in the history is tried as the key.
"""

import hashlib
import hmac
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path


def texts():
    """Everything that is written anywhere in the repository."""
    for path in sorted(Path().rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            yield path.read_text(encoding="utf-8", errors="replace")
    try:
        done = subprocess.run(["git", "log", "-p", "--all", "--format=%H %an %ae %B"], capture_output=True, check=False)
    except OSError:
        return
    yield done.stdout.decode("utf-8", "replace")


def candidates():
    """Every word as it stands, and every run of 64 hexadecimal digits as bytes."""
    for text in texts():
        for word in set(re.findall(r"[^\s\"'`,;:(){}\[\]]+", text)):
            yield word.encode()
        for digits in set(re.findall(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])", text)):
            yield bytes.fromhex(digits)


def sealed_text(record):
    plain = {name: value for name, value in record.items() if name not in ("key", "seal")}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def main():
    keys = set(tomllib.loads(Path("ops/keyring.toml").read_text(encoding="utf-8"))["keys"])
    lines = [line for path in sorted(Path("ledger").glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    orphans = [record for record in map(json.loads, lines) if record["key"] not in keys]
    if not orphans:
        print("every record carries a key of the ring")
        return 1
    seals = {bytes.fromhex(record["seal"]): sealed_text(record) for record in orphans}
    for secret in set(candidates()):
        if any(hmac.digest(secret, text, hashlib.sha256) == seal for seal, text in seals.items()):
            print("a key that is not in the ring is written elsewhere in the repository")
            return 1
    names = ", ".join(sorted({record["key"] for record in orphans}))
    print(f"{len(orphans)} records carry {names}, which is nowhere in the repository")
    return 0


if __name__ == "__main__":
    sys.exit(main())
