#!/usr/bin/env python3
"""Writes assets/heightmaps/jacksboro.tif from the elevation model that Debian's python-matplotlib-data carries.

    assets/convert_jacksboro.py [SOURCE.npz] [OUT.tif]

The source is 403 x 344 int16 metres, 3 arc seconds, the bounds of its pixels in xmin, xmax, ymin, ymax (its ymin is
the northern edge: row 0 lies in the north).  The result is a GeoTIFF: one Deflate strip a 16 rows, horizontal
differences, WGS 84.  Needs nothing but Python's own library.
"""
import ast
import os
import struct
import sys
import zipfile
import zlib

SOURCE = "/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "heightmaps", "jacksboro.tif")
ROWS_PER_STRIP = 16


def read_npy(data):
    """The header's dictionary and the bytes of the values."""
    assert data[:8] == b"\x93NUMPY\x01\x00", "not a version 1.0 .npy file"
    (length,) = struct.unpack("<H", data[8:10])
    return ast.literal_eval(data[10:10 + length].decode("latin-1")), data[10 + length:]


def strip(samples, width, rows):
    """Deflated rows, each sample replaced by its difference from the one before (TIFF predictor 2)."""
    out = bytearray()
    for row in range(rows):
        line = samples[row * width:(row + 1) * width]
        differences = [line[0]] + [b - a for a, b in zip(line, line[1:])]
        out += struct.pack("<%dH" % width, *(d & 0xFFFF for d in differences))
    return zlib.compress(bytes(out), 9)


def tiff(samples, width, height, west, north, step_x, step_y):
    strips = [strip(samples[y * width:(y + ROWS_PER_STRIP) * width], width, min(ROWS_PER_STRIP, height - y))
              for y in range(0, height, ROWS_PER_STRIP)]
    description = b"Jacksboro fault, Tennessee. SRTM elevation, 3 arc seconds, metres.\0"
    citation = b"WGS 84|\0"
    keys = [1, 1, 0, 6,
            1024, 0, 1, 2,           # geographic
            1025, 0, 1, 1,           # a pixel is an area
            2048, 0, 1, 4326,        # WGS 84
            2049, 34737, len(citation) - 1, 0,
            2054, 0, 1, 9102,        # degrees
            4099, 0, 1, 9001]        # heights in metres
    tags = [(256, 3, [width]), (257, 3, [height]), (258, 3, [16]), (259, 3, [8]), (262, 3, [1]),
            (270, 2, description), (273, 4, [0] * len(strips)), (277, 3, [1]), (278, 3, [ROWS_PER_STRIP]),
            (279, 4, [len(s) for s in strips]), (317, 3, [2]), (339, 3, [2]),
            (33550, 12, [step_x, step_y, 0.0]), (33922, 12, [0.0, 0.0, 0.0, west, north, 0.0]),
            (34735, 3, keys), (34737, 2, citation)]
    formats = {2: "s", 3: "H", 4: "I", 12: "d"}
    extra_at = 8 + 2 + 12 * len(tags) + 4
    sizes = [len(v) * struct.calcsize(formats[t]) for _, t, v in tags]
    data_at = extra_at + sum(size + size % 2 for size in sizes if size > 4)
    offsets = [data_at + sum(len(s) for s in strips[:i]) for i in range(len(strips))]
    entries, extra = b"", b""
    for tag, kind, values in tags:
        values = offsets if tag == 273 else values
        packed = values if kind == 2 else struct.pack("<%d%s" % (len(values), formats[kind]), *values)
        if len(packed) <= 4:
            field = packed.ljust(4, b"\0")
        else:
            field = struct.pack("<I", extra_at + len(extra))
            extra += packed + b"\0" * (len(packed) % 2)
        entries += struct.pack("<HHI", tag, kind, len(values)) + field
    return (b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + struct.pack("<I", 0) + extra + b"".join(strips))


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
    north = max(number["ymin"], number["ymax"])
    with open(target, "wb") as out:
        out.write(tiff(samples, width, height, number["xmin"], north, number["dx"], number["dy"]))
    print("%s: %d x %d, %d..%d m" % (target, width, height, min(samples), max(samples)))


if __name__ == "__main__":
    main()
