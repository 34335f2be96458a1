#!/usr/bin/env python3
"""Measures how soon a picture of the Earth is sharp, in processor time.

    tests/bench/sharp_at_once.py OROGEN [RUNS]

1. From the start of the program to a settled picture from orbit, 640 x 360. The first run may compile shaders.
2. `goto` over an elevation model in memory: processor time until 90 % of the pixels are those of the settled picture.
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib

INSET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/heightmaps/bigtujunga.tif")
FAR, NEAR = "20 10 19000000", "34.320334 -118.149229 3000"
PICTURES = 40  # frames of the goto that are kept
SAME = 3  # levels of 255 by which a final pixel may differ


def pixels(path):
    """Returns the samples of an 8-bit PNG that is not interlaced, as bytes, and the bytes of a pixel."""
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    size = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    raw, stride, before, out = zlib.decompress(packed), width * size, bytearray(width * size), bytearray()
    for row in range(height):
        filter_, line = raw[row * (stride + 1)], bytearray(raw[row * (stride + 1) + 1:(row + 1) * (stride + 1)])
        for i in range(stride if filter_ else 0):
            left, corner = (line[i - size], before[i - size]) if i >= size else (0, 0)
            up = before[i]
            if filter_ == 1:
                line[i] = (line[i] + left) & 255
            elif filter_ == 2:
                line[i] = (line[i] + up) & 255
            elif filter_ == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            else:
                nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
                line[i] = (line[i] + nearest[2]) & 255
        out += line
        before = line
    return out, size


def share_final(path, final):
    now, size = pixels(path)
    same = sum(all(abs(now[i + c] - final[i + c]) <= SAME for c in range(3)) for i in range(0, len(final), size))
    return same * size / len(final)


def processor_seconds(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def from_start(program):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "view", "earth", "--headless", "--size", "640x360", "--screenshot", "orbit.png"],
                       cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def after_goto(program):
    """Returns (processor seconds since the goto, share of final pixels) of each picture until 90 % are final."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, f"{i:02}.png") for i in range(PICTURES)]
        start, final = os.path.join(folder, "start.png"), os.path.join(folder, "final.png")
        script = os.path.join(folder, "script.txt")
        with open(script, "w") as file:
            # The place is seen once from 400 km, so that its shaders are compiled and the model is in memory.
            file.write(f"goto {NEAR.rsplit(' ', 1)[0]} 400000\nwait settled\ngoto {FAR}\nwait settled\n"
                       f"screenshot {start}\ngoto {NEAR}\n")
            file.writelines(f"wait 1\nscreenshot {name}\n" for name in names)
            file.write(f"wait settled\nscreenshot {final}\n")
        process = subprocess.Popen([program, "view", "earth", INSET, "--headless", "--size", "640x360", "--script", script],
                                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen = {}
        while process.poll() is None:
            now = processor_seconds(process)
            for name in [start] + names:
                if name not in seen and os.path.exists(name):
                    seen[name] = now
            time.sleep(0.005)
        if process.returncode != 0:
            sys.exit(process.stderr.read())
        whole = pixels(final)[0]
        rows = []
        for name in names:
            rows.append((seen.get(name, float("nan")) - seen[start], share_final(name, whole)))
            if rows[-1][1] >= 0.9:
                break
        return rows


def main():
    program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for run in range(runs):
        print(f"start to a settled orbit picture: {from_start(program):.2f} s of processor time", flush=True)
    for run in range(runs):
        rows = after_goto(program)
        print("goto over an inset:", ", ".join(f"{100 * share:.0f} % after {seconds:.2f} s" for seconds, share in rows),
              flush=True)


main()
