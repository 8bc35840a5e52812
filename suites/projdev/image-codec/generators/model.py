# rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
"""The format in plain Python: images from seeds, encoding, decoding, and what the drivers show."""

from __future__ import annotations

from collections.abc import Iterator

Pixel = tuple[int, ...]
MASK = 2**64 - 1


class Chance:
    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, end: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return (self.state >> 33) % end


def digest(data: bytes) -> int:
    state = 0xCBF29CE484222325
    for byte in data:
        state = ((state ^ byte) * 0x100000001B3) & MASK
    return state


def image(kind: str, width: int, height: int, channels: int, seed: int) -> Iterator[list[Pixel]]:
    chance = Chance(seed)
    below = chance.below
    palette = [below(256) for _ in range(160)]
    row: list[Pixel] = [(0,) * channels] * width
    walk = [128] * 4
    flat = tuple(palette[:channels])
    for y in range(height):
        for x in range(width):
            if kind == "tiles":
                at = (x // 5 * 7 + y // 3 * 13) % 40 * 4
                row[x] = tuple(palette[at : at + channels])
            elif kind == "lines":
                if y == 0 or below(50) == 0:
                    row[x] = tuple(below(256) for _ in range(channels))
            elif kind == "drift":
                for c in range(channels):
                    walk[c] = (walk[c] + (below(1) if c == 3 else below(7) - 3)) & 255
                row[x] = tuple(walk[:channels])
            elif kind == "noise":
                row[x] = tuple(below(256) for _ in range(channels))
            elif kind == "spots":
                row[x] = tuple(below(4) for _ in range(channels)) if below(12) == 0 else flat
            else:
                row[x] = flat
        yield row


def slot_of(pixel: Pixel) -> int:
    return sum(part * weight for part, weight in zip(pixel, (3, 5, 7, 11))) % 64


def first_pixel(channels: int) -> Pixel:
    return (0, 0, 0, 255) if channels == 4 else (0,) * channels


def checksum(data: bytes) -> int:
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def header(width: int, height: int, channels: int) -> bytes:
    return b"RIM1" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([channels])


def predicted(last: Pixel, above: Pixel | None) -> Pixel:
    return last if above is None else tuple((a + b) // 2 for a, b in zip(last, above))


def delta(pixel: Pixel, from_: Pixel) -> bytes | None:
    d = [(part - base + 128) % 256 - 128 for part, base in zip(pixel, from_)]
    if len(d) == 1:
        return bytes([0xC0 | d[0] + 16]) if -16 <= d[0] <= 15 else None
    if not (-8 <= d[0] <= 7 and -16 <= d[1] <= 15 and -8 <= d[2] <= 7) or any(d[3:]):
        return None
    bits = d[0] + 8 << 9 | d[1] + 16 << 4 | d[2] + 8
    return bytes([0xC0 | bits >> 8, bits & 255])


def encoded(kind: str, width: int, height: int, channels: int, seed: int) -> bytes:
    pixels = [pixel for row in image(kind, width, height, channels, seed) for pixel in row]
    out = bytearray(header(width, height, channels))
    slots: dict[int, Pixel] = {}
    last, at, end = first_pixel(channels), 0, len(pixels)
    while at < end:
        pixel = pixels[at]
        run = above = 0
        while run < 64 and at + run < end and pixels[at + run] == last:
            run += 1
        while at >= width and above < 64 and at + above < end and pixels[at + above] == pixels[at + above - width]:
            above += 1
        if run or above:
            out.append(run - 1 if run >= above else 64 + above - 1)
            at += max(run, above)
            last = pixels[at - 1]
            continue
        slot = slot_of(pixel)
        if slots.get(slot) == pixel:
            out.append(128 + slot)
        else:
            small = delta(pixel, predicted(last, pixels[at - width] if at >= width else None))
            out += small if small is not None else bytes([0xE0, *pixel])
            slots[slot] = pixel
        last = pixel
        at += 1
    flat = b"".join(map(bytes, pixels))
    return bytes(out) + b"\xf0" + checksum(flat).to_bytes(4, "big")


def decoded(data: bytes) -> tuple[bool, list[tuple[int, bytes]]]:
    """Whether the stream is right, and the rows: (number of bytes after which a row is complete, its bytes)."""
    rows: list[tuple[int, bytes]] = []
    if len(data) < 13 or data[:4] != b"RIM1":
        return False, rows
    width, height, channels = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big"), data[12]
    total = width * height
    if not (1 <= width <= 10**6 and 1 <= height <= 10**6 and total <= 2**28 and channels in (1, 3, 4)):
        return False, rows
    pixels: list[Pixel] = []
    slots: dict[int, Pixel] = {}
    at = 13

    def give(pixel: Pixel) -> None:
        pixels.append(pixel)
        if len(pixels) % width == 0:
            rows.append((at, b"".join(map(bytes, pixels[-width:]))))

    while at < len(data):
        code = data[at]
        last = pixels[-1] if pixels else first_pixel(channels)
        size = 5 if code == 0xF0 else 1 + channels if code == 0xE0 else 2 if 0xC0 <= code < 0xE0 and channels > 1 else 1
        if code == 0xF0 and len(pixels) < total or code != 0xF0 and len(pixels) == total or code > 0xE0 and code != 0xF0:
            return False, rows
        if at + size > len(data):
            return False, rows
        body = data[at : at + size]
        at += size
        if code == 0xF0:
            flat = b"".join(map(bytes, pixels))
            return at == len(data) and int.from_bytes(body[1:], "big") == checksum(flat), rows
        if code < 128:
            count = (code & 63) + 1
            if len(pixels) + count > total or code >= 64 and len(pixels) < width:
                return False, rows
            for _ in range(count):
                give(last if code < 64 else pixels[-width])
        elif code < 192:
            if code & 63 not in slots:
                return False, rows
            give(slots[code & 63])
        else:
            if code == 0xE0:
                pixel = tuple(body[1:])
            else:
                from_ = predicted(last, pixels[-width] if len(pixels) >= width else None)
                if channels == 1:
                    d = [(code & 31) - 16]
                else:
                    bits = (code & 31) << 8 | body[1]
                    d = [(bits >> 9) - 8, (bits >> 4 & 31) - 16, (bits & 15) - 8, 0]
                pixel = tuple((base + by) & 255 for base, by in zip(from_, d))
            slots[slot_of(pixel)] = pixel
            give(pixel)
    return False, rows


# -- what the drivers show --


def encode_case(text: str) -> str:
    shown = []
    for line in text.splitlines():
        kind, *numbers = line.split()
        stream = encoded(kind, *map(int, numbers))
        shown.append(f"{len(stream)} {digest(stream)}" + (f" {stream.hex()}" if len(stream) <= 200 else ""))
    return "".join(f"{row}\n" for row in shown)


def _stream(piece: int, data: bytes) -> str:
    right, rows = decoded(data)
    steps = bytearray()
    for at in range(0, len(data), piece):
        complete = sum(end <= at + piece for end, _ in rows)
        steps += bytes([complete & 255, complete >> 8 & 255])
    text = ""
    for _, row in rows:
        if len(text) < 400:
            text += f" {row[:200].hex()}"
    return f"{'done' if right else 'corrupt'} {len(rows)} {digest(steps)} {digest(b''.join(row for _, row in rows))}{text}"


def _damage(count: int, seed: int, data: bytes) -> str:
    draw, letters, seen = Chance(seed), "", bytearray()
    for _ in range(count):
        what, at, value = draw.below(5), draw.below(len(data)), draw.below(256)
        if what == 0:
            copy = data[:at]
        elif what == 1:
            copy = data[:at] + bytes([value]) + data[at:]
        elif what == 2:
            copy = data[:at] + data[at + 1 :]
        else:
            copy = data[:at] + bytes([value]) + data[at + 1 :]
        right, rows = decoded(copy)
        letters += "d" if right else "c"
        seen += bytes([len(rows) & 255, digest(b"".join(row for _, row in rows)) & 255])
    return f"{letters} {digest(seen)}"


def decode_case(text: str) -> str:
    shown = []
    for line in text.splitlines():
        name, *words = line.split()
        data = bytes.fromhex(words[-1])
        shown.append(_stream(int(words[0]), data) if name == "stream" else _damage(int(words[0]), int(words[1]), data))
    return "".join(f"{row}\n" for row in shown)


def both_case(text: str) -> str:
    shown = []
    for line in text.splitlines():
        _, kind, *numbers = line.split()
        stream = encoded(kind, *map(int, numbers))
        shown.append(f"{len(stream)} {digest(stream)} done {numbers[1]} rows, 0 different, memory small")
    return "".join(f"{row}\n" for row in shown)
