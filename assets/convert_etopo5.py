#!/usr/bin/env python3
"""Writes assets/earth/etopo5.tif, the relief of the whole Earth, from the ETOPO5 that Debian's ferret-datasets carries.

    assets/convert_etopo5.py [SOURCE.cdf] [OUT.tif]

The source is a NetCDF file (classic format) with 2161 x 4320 float32 metres, all of them whole: row 0 is 90 degrees
south, column 0 is 0 degrees east, one point sample every 5 arc minutes. The result is a GeoTIFF of the
same samples: int16, row 0 is 90 degrees north, column 0 is 180 degrees west, pixel is point, WGS 84, one Deflate strip
per 32 rows, horizontal differences. Output is deterministic. Needs only the Python standard library.
"""
import array
import os
import struct
import sys

import geotiff_writer

SOURCE = "/usr/share/ferret-vis/data/etopo5.cdf"
TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "earth", "etopo5.tif")
WIDTH, HEIGHT, A_DEGREE = 4320, 2161, 12
ROWS_PER_STRIP = 32


class Header:
    """Header of a NetCDF file (classic format): name, shape, type and offset of each variable."""

    SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}  # bytes per value, by type

    def __init__(self, data):
        assert data[:4] == b"CDF\x01", "not a NetCDF file of the classic format"
        self.data, self.at = data, 8  # after the number of records
        dimensions = self.list(10, lambda: (self.name(), self.integer()))
        self.list(12, self.attribute)
        self.lengths = [length for _, length in dimensions]
        self.variables = {v[0]: v[1:] for v in self.list(11, self.variable)}

    def integer(self):
        (value,) = struct.unpack_from(">i", self.data, self.at)
        self.at += 4
        return value

    def skip(self, size):
        begin, self.at = self.at, self.at + (size + 3) // 4 * 4
        return self.data[begin:begin + size]

    def name(self):
        return self.skip(self.integer()).decode("ascii")

    def list(self, tag, element):
        found, count = self.integer(), self.integer()
        assert found == tag or (found, count) == (0, 0), "a list of another kind"
        return [element() for _ in range(count)]

    def attribute(self):
        name, kind = self.name(), self.integer()
        return name, self.skip(self.integer() * self.SIZES[kind])

    def variable(self):
        name = self.name()
        shape = [self.lengths[self.integer()] for _ in range(self.integer())]
        self.list(12, self.attribute)
        kind, _, begin = self.integer(), self.integer(), self.integer()
        return name, shape, kind, begin


def values(data, begin, count, code):
    result = array.array(code, data[begin:begin + count * struct.calcsize(code)])
    if sys.byteorder == "little":
        result.byteswap()
    return result


def check_axis(data, header, name, first, last):
    shape, _, begin = header.variables[name]
    at = values(data, begin, shape[0], "d")
    assert abs(at[0] - first) < 1e-3 and abs(at[-1] - last) < 1e-2, "%s runs from %g to %g" % (name, at[0], at[-1])


def read_rows(data):
    """Yields rows from north to south, each from 180 degrees west eastwards."""
    header = Header(data)
    check_axis(data, header, "ETOPO05_X", 0, 360 - 1 / A_DEGREE)
    check_axis(data, header, "ETOPO05_Y", -90, 90)
    shape, kind, begin = header.variables["ROSE"]
    assert shape == [HEIGHT, WIDTH] and kind == 5, (shape, kind)
    for row in range(HEIGHT - 1, -1, -1):
        line = values(data, begin + row * WIDTH * 4, WIDTH, "f")
        whole = [int(v) for v in line]
        assert all(a == b and -12000 < a < 9000 for a, b in zip(whole, line)), "row %d: not whole metres" % row
        yield whole[WIDTH // 2:] + whole[:WIDTH // 2]


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else SOURCE
    target = sys.argv[2] if len(sys.argv) > 2 else TARGET
    with open(source, "rb") as file:
        rows = list(read_rows(file.read()))
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    with open(target, "wb") as out:
        out.write(geotiff_writer.geotiff(
            rows, ROWS_PER_STRIP, corner=(-180.0, 90.0), step=(1 / A_DEGREE, 1 / A_DEGREE), pixel_is_point=True,
            description=b"ETOPO5, relief of the surface of the Earth, 5 arc minutes, metres. NOAA/NGDC."))
    print("%s: %d x %d, %d..%d m" % (target, WIDTH, HEIGHT, min(map(min, rows)), max(map(max, rows))))


if __name__ == "__main__":
    main()
