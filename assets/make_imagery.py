#!/usr/bin/env python3
"""Writes the shipped pictures of the Earth, assets/earth/{blue_marble,city_lights,sea_ice}.tif, as Cloud Optimized GeoTIFFs.

    assets/make_imagery.py DAY.jpg NIGHT.jpg [OUT_FOLDER]

DAY is NASA's Blue Marble: Next Generation with topography and bathymetry (January), NIGHT its city lights. Both are
whole Earths in degrees, 4096 x 2048 pixels. assets/LICENSES.md names the sources. Needs NumPy and Pillow.

The program draws its own sea, and its relief decides where the coast is. That coast differs from the picture's by a
pixel or two. blue_marble.tif therefore has land colours everywhere: pixels of the sea, and those that mix sea and land
at a coast, are filled from the land around them (push and pull over a pyramid). No blue fringe can appear on land.

city_lights.tif is the light of cities alone: the moonlit ground and sea of NIGHT are subtracted.
sea_ice.tif has 255 where NIGHT or DAY shows ice on the sea of the relief, which is the program's sea.
"""
import io
import os
import struct
import sys
import zlib

import numpy
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 4096, 2048
TILE = 256
QUALITY = 84
WGS84 = [1, 1, 0, 4, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326, 2054, 0, 1, 9102]  # pixel is area, degrees


# ---- GeoTIFF ----

def jpeg_tile(pixels):
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=QUALITY, subsampling=0 if pixels.ndim == 2 else 2, optimize=True)
    return out.getvalue()


def deflate_tile(pixels):
    differences = pixels.astype(numpy.int16)
    differences[:, 1:] -= pixels[:, :-1]
    return zlib.compress((differences & 255).astype(numpy.uint8).tobytes(), 9)


def halved(pixels):
    p = pixels.astype(numpy.float32)
    return (0.25 * (p[::2, ::2] + p[1::2, ::2] + p[::2, 1::2] + p[1::2, 1::2]) + 0.5).astype(numpy.uint8)


def tiles_of(pixels):
    """Yields squares of TILE pixels, those at the right and bottom border padded with the last pixels."""
    rows, columns = -pixels.shape[0] % TILE, -pixels.shape[1] % TILE
    padded = numpy.pad(pixels, ((0, rows), (0, columns)) + ((0, 0),) * (pixels.ndim - 2), mode="edge")
    for y in range(0, padded.shape[0], TILE):
        for x in range(0, padded.shape[1], TILE):
            yield padded[y:y + TILE, x:x + TILE]


def directory_tags(pixels, first, description, credit):
    height, width = pixels.shape[:2]
    colour = pixels.ndim == 3
    encode = jpeg_tile if colour else deflate_tile
    tiles = [encode(tile) for tile in tiles_of(pixels)]
    tags = [(254, 4, [0 if first else 1]), (256, 3, [width]), (257, 3, [height]), (258, 3, [8] * (3 if colour else 1)),
            (259, 3, [7 if colour else 8]), (262, 3, [6 if colour else 1]), (277, 3, [3 if colour else 1]),
            (322, 3, [TILE]), (323, 3, [TILE]), (324, 4, [0] * len(tiles)), (325, 4, [len(t) for t in tiles])]
    if colour:
        tags += [(530, 3, [2, 2])]  # subsampling of the colours
    else:
        tags += [(317, 3, [2])]  # horizontal differences
    if first:
        step = 360.0 / width
        tags += [(270, 2, description.encode() + b"\0"), (33432, 2, credit.encode() + b"\0"), (33550, 12, [step, step, 0.0]),
                 (33922, 12, [0.0, 0.0, 0.0, -180.0, 90.0, 0.0]), (34735, 3, WGS84)]
    return sorted(tags), tiles


def write_cog(path, pixels, description, credit):
    """Writes all directories, the full image first, and then the tiles, the coarsest image first."""
    formats = {2: "s", 3: "H", 4: "I", 12: "d"}
    images = []
    while True:
        images.append(directory_tags(pixels, not images, description, credit))
        if max(pixels.shape[:2]) <= TILE:
            break
        pixels = halved(pixels)
    packed = lambda kind, v: v if kind == 2 else struct.pack("<%d%s" % (len(v), formats[kind]), *v)
    extras = lambda tags: sum((len(packed(k, v)) + 1) // 2 * 2 for _, k, v in tags if len(packed(k, v)) > 4)
    sizes = [2 + 12 * len(tags) + 4 + extras(tags) for tags, _ in images]
    starts = [8 + sum(sizes[:i]) for i in range(len(images))]
    at, offsets = 8 + sum(sizes), [None] * len(images)
    for i in reversed(range(len(images))):
        offsets[i] = []
        for tile in images[i][1]:
            offsets[i].append(at)
            at += len(tile)
    out = bytearray(struct.pack("<2sHI", b"II", 42, 8))
    for i, (tags, _) in enumerate(images):
        entries, extra, extra_at = b"", b"", starts[i] + 2 + 12 * len(tags) + 4
        for tag, kind, values in tags:
            data = packed(kind, offsets[i] if tag == 324 else values)
            field = data.ljust(4, b"\0") if len(data) <= 4 else struct.pack("<I", extra_at + len(extra))
            if len(data) > 4:
                extra += data + b"\0" * (len(data) % 2)
            entries += struct.pack("<HHI", tag, kind, len(values)) + field
        following = starts[i + 1] if i + 1 < len(images) else 0
        out += struct.pack("<H", len(tags)) + entries + struct.pack("<I", following) + extra
    for _, tiles in reversed(images):
        for tile in tiles:
            out += tile
    with open(path, "wb") as file:
        file.write(out)
    print("%s: %.2f MB" % (path, len(out) / 1e6))


# ---- pictures ----

def relief():
    """Returns the heights of the program's relief at the pixels' centres."""
    rows = numpy.asarray(Image.open(os.path.join(HERE, "earth", "etopo5.tif"))).astype(numpy.float32)
    assert rows.shape == (2161, 4320) and rows.min() < -10000, "unexpected relief"
    y = (numpy.arange(HEIGHT) + 0.5) * (rows.shape[0] - 1) / HEIGHT
    x = (numpy.arange(WIDTH) + 0.5) * rows.shape[1] / WIDTH
    top, left = y.astype(int), x.astype(int)
    t, s = (y - top)[:, None], (x - left)[None, :]
    right = (left + 1) % rows.shape[1]
    upper = rows[top][:, left] * (1 - s) + rows[top][:, right] * s
    lower = rows[top + 1][:, left] * (1 - s) + rows[top + 1][:, right] * s
    return upper * (1 - t) + lower * t


def near(mask, pixels):
    """Widens a mask, around the date line too."""
    for _ in range(pixels):
        up, down = numpy.vstack([mask[:1], mask[:-1]]), numpy.vstack([mask[1:], mask[-1:]])
        mask = mask | up | down
        mask = mask | numpy.roll(mask, 1, 1) | numpy.roll(mask, -1, 1)
    return mask


def filled(colours, weights):
    """Returns colours with those of little weight replaced by the weighted means around them."""
    if min(weights.shape) <= 2:
        total = max(float(weights.sum()), 1e-9)
        return numpy.broadcast_to((colours * weights[..., None]).sum((0, 1)) / total, colours.shape)
    quarter = lambda a: a[::2, ::2] + a[1::2, ::2] + a[::2, 1::2] + a[1::2, 1::2]
    mass = quarter(weights)
    means = quarter(colours * weights[..., None]) / numpy.maximum(mass, 1e-9)[..., None]
    coarse = filled(means, numpy.minimum(mass, 1.0))
    fine = coarse.repeat(2, 0).repeat(2, 1)
    for axis in (0, 1):  # smooths the squares of the coarser level
        around = lambda k: numpy.roll(fine, k, axis)
        fine = 0.25 * around(1) + 0.5 * fine + 0.25 * around(-1)
    share = weights[..., None]
    return colours * share + fine * (1 - share)


def land_colours(day, sea_of_relief, ice):
    red, green, blue = (day[..., i] for i in range(3))
    bluish = (blue > 1.12 * green + 3) & (blue > 1.25 * red + 3)
    wet = bluish & near(sea_of_relief, 3)  # lakes keep their colour
    weights = numpy.where(near(wet, 1), 0.02, 1.0)  # a coastal pixel mixes land and sea
    weights[wet] = 0.0
    weights[near(wet, 1) & bluish] = 0.0
    weights[near(wet, 1) & (blue > green)& (blue > red) & (red < 200)] = 0.0
    weights[ice > 0.5] = 1.0
    day = numpy.where((ice > 0.5)[..., None], numpy.array([226.0, 234.0, 241.0]), day)
    return filled(day, weights)


def city_lights(night):
    """Returns red minus what the moon's blue light explains; lights are warm."""
    red, green, blue = (night[..., i] for i in range(3))
    ground = 0.42 * numpy.maximum(blue - 4, 0)
    return numpy.clip((red - ground - 16) * 3.0, 0, 255)


def sea_ice(day, night, sea_of_relief, latitudes):
    red, green, blue = (day[..., i] for i in range(3))
    sea = (blue > 1.12 * green + 3) & (blue > 1.25 * red + 3)
    pale = numpy.clip((night[..., 1] - 30) / 20, 0, 1) * (sea & (latitudes > 62)[:, None])
    shelf = ((day.min(-1) > 190) & sea_of_relief & (numpy.abs(latitudes) > 60)[:, None]).astype(numpy.float32)
    return numpy.maximum(pale, shelf)


def main():
    folder = sys.argv[3] if len(sys.argv) > 3 else os.path.join(HERE, "earth")
    day, night = (numpy.asarray(Image.open(name).convert("RGB")).astype(numpy.float32) for name in sys.argv[1:3])
    assert day.shape == night.shape == (HEIGHT, WIDTH, 3), (day.shape, night.shape)
    latitudes = 90 - (numpy.arange(HEIGHT) + 0.5) * 180 / HEIGHT
    sea = relief() < 0
    ice = sea_ice(day, night, sea, latitudes)
    colours = land_colours(day, sea, ice)
    write = lambda name, pixels, text, credit: write_cog(
        os.path.join(folder, name), numpy.clip(pixels + 0.5, 0, 255).astype(numpy.uint8), text, credit)
    write("blue_marble.tif", colours, "Blue Marble: Next Generation, January; sea filled with land colours",
          "NASA Visible Earth")
    write("city_lights.tif", city_lights(night), "City lights", "NASA Earth Observatory")
    write("sea_ice.tif", 255 * ice, "Ice on the sea", "NASA Visible Earth, NASA Earth Observatory")


if __name__ == "__main__":
    main()
