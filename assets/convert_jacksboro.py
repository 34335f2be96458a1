#!/usr/bin/env python3
"""Writes assets/heightmaps/jacksboro.tif from the elevation model that Debian's python-matplotlib-data carries.

    assets/convert_jacksboro.py [SOURCE.npz] [OUT.tif]

The source is 403 x 344 int16 metres, 3 arc seconds, the bounds of its pixels in xmin, xmax, ymin, ymax (its ymin is
the northern edge: row 0 lies in the north).  The result is a GeoTIFF: one Deflate strip per 16 rows, horizontal
differences, WGS 84. Needs only the Python standard library.
"""
import ast
import os
import struct
import sys
import zipfile

import geotiff_writer

SOURCE = "/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "heightmaps", "jacksboro.tif")
ROWS_PER_STRIP = 16


def read_npy(data):
    """Returns the header's dictionary and the bytes of the values."""
    assert data[:8] == b"\x93NUMPY\x01\x00", "not a version 1.0 .npy file"
    (length,) = struct.unpack("<H", data[8:10])
    return ast.literal_eval(data[10:10 + length].decode("latin-1")), data[10 + length:]


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else SOURCE
    target = sys.argv[2] if len(sys.argv) > 2 else TARGET
    with zipfile.ZipFile(source) as archive:
        header, data = read_npy(archive.read("elevation.npy"))
        number = {name: struct.unpack("<d", read_npy(archive.read(name + ".npy"))[1])[0]
                  for name in ("xmin", "xmax", "ymin", "ymax", "dx", "dy")}
    assert header["descr"] == "<i2" and not header["fortran_order"], header
    height, width = header["shape"]
    samples = struct.unpack("<%dh" % (width * height), data)
    rows = [samples[y * width:(y + 1) * width] for y in range(height)]
    north = max(number["ymin"], number["ymax"])
    with open(target, "wb") as out:
        out.write(geotiff_writer.geotiff(
            rows, ROWS_PER_STRIP, corner=(number["xmin"], north), step=(number["dx"], number["dy"]),
            pixel_is_point=False, description=b"Jacksboro fault, Tennessee. SRTM elevation, 3 arc seconds, metres."))
    print("%s: %d x %d, %d..%d m" % (target, width, height, min(samples), max(samples)))


if __name__ == "__main__":
    main()
