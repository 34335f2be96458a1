"""Writes the shipped terrains: 16-bit GeoTIFFs in horizontal differences."""
import struct
import zlib


def strip(rows):
    """Returns deflated rows, each sample replaced by its difference from the one before (TIFF predictor 2)."""
    out = bytearray()
    for line in rows:
        differences = [line[0]] + [b - a for a, b in zip(line, line[1:])]
        out += struct.pack("<%dH" % len(line), *(d & 0xFFFF for d in differences))
    return zlib.compress(bytes(out), 9)


def geotiff(rows, rows_per_strip, corner, step, description, pixel_is_point, utm=None):
    """Returns the bytes of a file of int16 metres; output is deterministic.

    rows: from north to south, each from west to east.  corner: east and north of the first sample's north-western
    corner, or of the sample itself where pixel_is_point.  step: between samples, eastwards and southwards.  Both are in
    degrees over WGS 84, or, with utm, in metres of the system with that EPSG number.
    """
    width, height = len(rows[0]), len(rows)
    strips = [strip(rows[y:y + rows_per_strip]) for y in range(0, height, rows_per_strip)]
    citation = b"WGS 84|\0"
    key_rows = [(1024, 0, 1, 1 if utm else 2),              # projected, or geographic
               (1025, 0, 1, 2 if pixel_is_point else 1),   # a pixel is a point, or an area
               (2048, 0, 1, 4326),                         # WGS 84
               (2049, 34737, len(citation) - 1, 0),
               (2054, 0, 1, 9102)]                         # degrees
    if utm:
        key_rows += [(3072, 0, 1, utm), (3076, 0, 1, 9001)]  # metres
    key_rows.append((4099, 0, 1, 9001))                      # heights in metres
    keys = [1, 1, 0, len(key_rows)] + [number for row in key_rows for number in row]
    tags = [(256, 3, [width]), (257, 3, [height]), (258, 3, [16]), (259, 3, [8]), (262, 3, [1]),
            (270, 2, description + b"\0"), (273, 4, [0] * len(strips)), (277, 3, [1]), (278, 3, [rows_per_strip]),
            (279, 4, [len(s) for s in strips]), (317, 3, [2]), (339, 3, [2]),
            (33550, 12, [step[0], step[1], 0.0]), (33922, 12, [0.0, 0.0, 0.0, corner[0], corner[1], 0.0]),
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
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + struct.pack("<I", 0) + extra + b"".join(strips)
