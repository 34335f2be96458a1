#!/usr/bin/env python3
"""Writes heightmaps/noise.png: low hills of gradient noise, from which a mountain range grows (scenes/growing.orogen).

16-bit grey, a metre a step, 30 m a sample; output is deterministic.
"""
import math
import pathlib
import random
import struct
import zlib

SIDE = 385
OCTAVES = ((96, 40.0), (48, 22.0), (24, 12.0), (12, 6.0), (6, 3.0))  # cell in samples, amplitude in metres
BASE = 200.0                                                      # metres


def octave(seed, cell):
    """Returns a function of the place in samples: gradient noise with cells of `cell` samples, about -0.7 to 0.7."""
    source = random.Random(seed)
    count = SIDE // cell + 2
    gradients = [[source.uniform(0, 2 * math.pi) for _ in range(count)] for _ in range(count)]
    gradients = [[(math.cos(a), math.sin(a)) for a in row] for row in gradients]

    def fade(t):
        return t * t * t * (t * (6 * t - 15) + 10)

    def noise(x, y):
        column, row = int(x // cell), int(y // cell)
        u, v = x / cell - column, y / cell - row

        def corner(i, j):
            east, south = gradients[row + j][column + i]
            return east * (u - i) + south * (v - j)

        a, b = fade(u), fade(v)
        north = corner(0, 0) + a * (corner(1, 0) - corner(0, 0))
        south = corner(0, 1) + a * (corner(1, 1) - corner(0, 1))
        return north + b * (south - north)

    return noise


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    body = b"".join(b"\0" + struct.pack(">%dH" % len(row), *row) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b"")


def main():
    octaves = [(octave(number, cell), metres) for number, (cell, metres) in enumerate(OCTAVES)]
    rows = [[round(BASE + sum(metres * noise(x, y) for noise, metres in octaves)) for x in range(SIDE)]
            for y in range(SIDE)]
    out = pathlib.Path(__file__).parent / "heightmaps" / "noise.png"
    out.write_bytes(png(rows))
    heights = [h for row in rows for h in row]
    print(f"{out}: {min(heights)} to {max(heights)} m, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
