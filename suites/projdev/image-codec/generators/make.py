# rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
"""Writes all data of the package from seeds. `python generators/make.py [DIRECTORY [GROUP...]]` (default: the package's data, all groups)"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from model import both_case, checksum, decode_case, encode_case, encoded, header

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0]
POINTS = {"1-encode": 25, "2-decode": 25, "3-corrupt": 25, "4-volume": 15}
KINDS = ["flat", "tiles", "lines", "drift", "noise", "spots"]


def images(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


def tail(pixels: bytes) -> bytes:
    return b"\xf0" + checksum(pixels).to_bytes(4, "big")


def stream(piece: int, data: bytes) -> str:
    return f"stream {piece} {data.hex()}\n"


def by_hand() -> Iterator[bytes]:
    """Right streams that no encoder of this format would write."""
    one = header(2, 2, 1)
    yield one + b"\xe0\x07\xe0\x07\xe0\x07\xe0\x07" + tail(b"\x07" * 4)  # literals of what repeats
    yield one + b"\x00\x00\x01" + tail(bytes(4))  # short runs, one over the end of a row
    yield one + b"\xc0\xdf\x40\x40" + tail(bytes([240, 255, 240, 255]))  # deltas that wrap around
    yield header(1, 3, 3) + b"\xe0abc\xd1\x08\x40" + tail(b"abcabcabc")  # no change at all
    yield header(3, 1, 4) + b"\x00\xe0\x01\x02\x03\x04\x8e" + tail(b"\0\0\0\xff" + b"\1\2\3\4" * 2)
    yield header(1, 1, 1) + b"\x00" + tail(b"\0")


def broken() -> Iterator[bytes]:
    """One stream for each thing that the statement calls corrupt."""
    right = header(2, 2, 1) + b"\xe0\x07\x02" + tail(b"\x07" * 4)
    yield right
    yield b"RIM2" + right[4:]
    for width, height, channels in [(0, 2, 1), (2, 0, 1), (1_000_001, 1, 1), (1, 1_000_001, 1), (20_000, 20_000, 1), (2, 2, 2), (2, 2, 0), (2, 2, 5)]:
        yield header(width, height, channels) + right[13:]
    yield header(2, 2, 1) + b"\xe0\x07\x03" + tail(b"\x07" * 5)  # a run beyond the end
    yield header(2, 2, 1) + b"\x40\x02" + tail(bytes(4))  # above in the first row
    yield header(2, 2, 1) + b"\xe0\x07\x41\x40\x40" + tail(b"\x07" * 4)
    yield header(2, 2, 1) + b"\x00\x40\x42" + tail(bytes(4))
    yield header(2, 2, 1) + b"\x80\x02" + tail(bytes(4))  # a slot that is not filled, though its colour would be 0
    yield header(2, 2, 1) + b"\xe0\x01\x84\x01" + tail(b"\1" * 4)
    for code in (0xE1, 0xEF, 0xF1, 0xFF):
        yield header(2, 2, 1) + bytes([code]) + right[13:]
    yield header(2, 2, 1) + b"\xe0\x07\x01" + tail(b"\x07" * 3)  # the end before the last pixel
    yield right[:-5] + b"\x00" + right[-5:]  # an operation after the last pixel
    yield right[:-1] + bytes([right[-1] ^ 1])  # the checksum
    yield right + b"\x00"
    yield right + right
    for size in range(1, len(right)):
        yield right[:size]
    yield header(1_000_000, 268, 4) + b"\x00" * 3  # large, and over at once
    yield header(16_384, 16_384, 4) + b"\xe0\x01\x02\x03\x04" + b"\x3f" * 6


def cases() -> Iterator[tuple[str, Callable[[str], str], str]]:
    chance = random.Random(1805)
    yield "sample/01-encode", encode_case, images("flat 3 2 1 5", "spots 6 4 3 3", "tiles 12 4 4 9")
    samples = list(by_hand())
    yield "sample/02-decode", decode_case, stream(1, encoded("spots", 6, 4, 3, 3)) + stream(100, samples[2]) + stream(3, samples[0][:-1])
    small = [f"{kind} {width} {height} {channels} {chance.randrange(1000)}" for kind in KINDS for width, height, channels in [(1, 1, 1), (1, 7, 3), (9, 1, 4), (8, 5, 1), (13, 6, 3), (7, 9, 4)]]
    yield "secret/1-encode/01", encode_case, images(*small)
    yield "secret/1-encode/02", encode_case, images("flat 64 1 1 3", "flat 65 1 3 3", "flat 63 3 4 3", "flat 1 200 1 4", "flat 129 5 3 8", "flat 1000 3 4 2")
    yield "secret/1-encode/03", encode_case, images(*(f"{kind} {chance.randint(60, 140)} {chance.randint(40, 90)} {channels} {chance.randrange(10**6)}" for kind in KINDS for channels in (1, 3, 4)))
    yield "secret/1-encode/04", encode_case, images("lines 40 60 1 5", "lines 64 50 3 6", "lines 128 30 4 7", "spots 64 64 1 9", "spots 1 500 4 3", "tiles 500 3 3 1", "tiles 3 500 3 1", "drift 5 300 1 8")
    yield "secret/2-decode/01", decode_case, "".join(stream(piece, data) for data in samples for piece in (1, 2, 1000))
    yield "secret/2-decode/02", decode_case, "".join(stream(1 + index % 7, encoded(kind, 11, 7, channels, index)) for index, (kind, channels) in enumerate((k, c) for k in KINDS for c in (1, 3, 4)))
    yield "secret/2-decode/03", decode_case, "".join(stream(piece, encoded(kind, 40, 25, channels, 77)) for kind, channels, piece in [("lines", 1, 1), ("drift", 3, 5), ("spots", 4, 13), ("tiles", 3, 100_000), ("drift", 1, 64), ("noise", 1, 3)])
    yield "secret/2-decode/04", decode_case, stream(1, encoded("flat", 100, 9, 3, 4)) + stream(7, encoded("flat", 1, 640, 1, 4)) + stream(2, encoded("flat", 1000, 2, 4, 4))
    yield "secret/3-corrupt/01", decode_case, "".join(stream(1 + index % 5, data) for index, data in enumerate(broken()))
    yield "secret/3-corrupt/02", decode_case, "".join(f"damage 600 {seed} {encoded(kind, 6, 5, channels, seed).hex()}\n" for seed, (kind, channels) in enumerate((k, c) for k in KINDS for c in (1, 3, 4)))
    yield "secret/3-corrupt/03", decode_case, "".join(f"damage 500 {seed + 50} {data.hex()}\n" for seed, data in enumerate(samples))
    yield "secret/4-volume/01", both_case, images("4000 drift 1000 700 3 18", "100000 lines 900 600 4 19")
    yield "secret/4-volume/02", both_case, images("30000000 noise 700 600 3 20", "10 spots 2000 300 1 21")
    yield "secret/4-volume/03", both_case, images("5000 tiles 1200 500 3 22", "70 flat 3 100000 4 23", "9 lines 200000 2 3 24")


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    only = sys.argv[2:]
    for name, show, text in cases():
        if only and name.split("/")[-2] not in only:
            continue
        target = place / f"{name}.in"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "ascii")
        target.with_suffix(".ans").write_text(show(text), "ascii")
    if only:
        return
    for group, points in POINTS.items():
        content = f"{CANARY}\nmax_score: {points}\nscore_aggregation: min\n"
        (place / "secret" / group / "test_group.yaml").write_text(content, "utf-8")


if __name__ == "__main__":
    main()
