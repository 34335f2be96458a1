#!/usr/bin/env python3
"""Writes assets/heightmaps/bigtujunga.tif from an SRTM elevation model of Big Tujunga in the San Gabriel Mountains.

    assets/convert_bigtujunga.py SOURCE.tif [OUT.tif]

The source is 1197 x 643 int16 metres, 30 m apart, UTM zone 11 north, in uncompressed tiles of 128 x 128 samples.  The
result has the same samples: one Deflate strip per 16 rows, horizontal differences. Needs only the Python
standard library.
"""
import os
import struct
import sys

import geotiff_writer

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "heightmaps", "bigtujunga.tif")
ROWS_PER_STRIP = 16
EPSG = 32611


def read_tags(data):
    """Returns the tags of a little-endian TIFF's first directory: number -> values."""
    formats = {2: "s", 3: "H", 4: "I", 12: "d"}
    assert data[:4] == b"II*\0", "not a little-endian TIFF"
    (at,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, at)
    tags = {}
    for i in range(count):
        tag, kind, number = struct.unpack_from("<HHI", data, at + 2 + 12 * i)
        layout = "<%d%s" % (number, formats[kind])
        place = at + 10 + 12 * i
        if struct.calcsize(layout) > 4:
            (place,) = struct.unpack_from("<I", data, place)
        tags[tag] = struct.unpack_from(layout, data, place)
    return tags


def read_rows(data, tags):
    (width,), (height,), (tile_width,), (tile_height,) = tags[256], tags[257], tags[322], tags[323]
    assert tags[258] == (16,) and tags[259] == (1,) and tags[339] == (2,), "expected uncompressed int16"
    rows = [[0] * width for _ in range(height)]
    across = (width + tile_width - 1) // tile_width
    for number, at in enumerate(tags[324]):
        left, top = number % across * tile_width, number // across * tile_height
        for y in range(min(tile_height, height - top)):
            line = struct.unpack_from("<%dh" % tile_width, data, at + 2 * y * tile_width)
            rows[top + y][left:left + tile_width] = line[:width - left]
    return rows


def main():
    with open(sys.argv[1], "rb") as source:
        data = source.read()
    target = sys.argv[2] if len(sys.argv) > 2 else TARGET
    tags = read_tags(data)
    rows = read_rows(data, tags)
    step, tie = tags[33550], tags[33922]
    with open(target, "wb") as out:
        out.write(geotiff_writer.geotiff(
            rows, ROWS_PER_STRIP, corner=tie[3:5], step=step[:2], pixel_is_point=False, utm=EPSG,
            description=b"Big Tujunga, San Gabriel Mountains, California. SRTM elevation, 30 m, metres."))
    lowest, highest = min(map(min, rows)), max(map(max, rows))
    print("%s: %d x %d, %d..%d m" % (target, len(rows[0]), len(rows), lowest, highest))


if __name__ == "__main__":
    main()
