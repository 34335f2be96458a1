#!/usr/bin/env python3
"""Counts the leaves that the criterion `error` needs at 1 pixel: in tiles against one image, and over the Earth.

    tests/bench/error_leaves.py OROGEN [plane|earth] [--error] [--patch-0]

`--error` adds the measured error. OROGEN_SETTLE_SECONDS allows slow machines more time.
"""
import os
import re
import subprocess
import sys
import tempfile

HEIGHTMAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/heightmaps")
SETTINGS = ["lod.criterion=error", "terrain.detail=false", "render.near_detail=false", "lod.rounds=16"]
PLANES = {"bigtujunga": ("34.320334 -118.149229", 1300), "jacksboro": ("36.589583 -84.245833", 500)}
PLACES = [("Sahara, 4 km", [], "23 10 4600"), ("Los Angeles, 4 km", [], "33.95 -118.45 4000")] + [
    (f"inset, {km} km", ["bigtujunga"], f"34.320334 -118.149229 {1300 + 1000 * km}") for km in (1, 3, 10)]


def ask(program, terrain, place, settings, key):
    """Returns the value of a script's key once the picture has settled; else the message."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.txt")
        with open(script, "w") as file:
            file.write(f"goto {place}\nwait settled\nexpect {key} < -1\n")
        command = [program, "view", *terrain, "--headless", "--size", "640x360", "--script", script]
        for setting in SETTINGS + settings:
            command += ["--set", setting]
        message = subprocess.run(command, capture_output=True, text=True, cwd=folder).stderr
    found = re.search(key + r": found ([-0-9.e+]+)", message)
    return found.group(1) if found else message.strip()[-120:]


def main():
    program = os.path.abspath(sys.argv[1])
    keys = ["leaves"] + (["error_max_px"] if "--error" in sys.argv else [])
    file = lambda name: os.path.join(HEIGHTMAPS, name + ".tif")
    for name, (place, ground) in PLANES.items() if "earth" not in sys.argv else []:
        for km in (1, 3, 10):
            for tiles in ("auto", "always"):
                settings = [f"terrain.tiles={tiles}"] + (["patch.level=0"] if "--patch-0" in sys.argv else [])
                values = [ask(program, [file(name)], f"{place} {ground + 1000 * km}", settings, key) for key in keys]
                print(f"{name}, {km} km, tiles {tiles}:", *values, flush=True)
    for name, insets, place in PLACES if "plane" not in sys.argv else []:
        terrain = ["earth"] + [file(inset) for inset in insets]
        print(f"{name}:", *[ask(program, terrain, place, [], key) for key in keys], flush=True)


main()
