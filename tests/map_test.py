#!/usr/bin/env python3
"""Compares the map of .github/CONTRIBUTING.md with the folders that hold tracked files, and names in pages with sources.

    tests/map_test.py ROOT          fails for a folder that the map lacks, and for one that it names but that is not there;
                                    for a file (`core/leb/leb.h`) or member (`Renderer::begin()`) that a page names in
                                    backquotes, but that is not there
    tests/map_test.py --self-test   plants each fault in a temporary tree, and fails if one is missed

The map is the table under the heading "Map": the first cell of a row is a folder in backquotes. A folder of tests that
mirrors a folder of the map (tests/core/leb, core/leb) needs no row. Without git, as in an unpacked archive, all files
count as tracked.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

MAP = ".github/CONTRIBUTING.md"
PAGES = (MAP, "assets/docs/**/*.md")
LAYERS = ("core", "compute", "app", "shaders", "tests", "assets")


def tracked_files(root):
    """Returns paths relative to ROOT with slashes: git's, or those on the disk if ROOT is not a checkout."""
    if os.path.exists(os.path.join(root, ".git")):
        try:
            done = subprocess.run(["git", "-C", root, "ls-files", "-z", "--", *LAYERS], capture_output=True, check=True)
            paths = os.fsdecode(done.stdout).split("\0")
            return [path for path in paths if path and os.path.exists(os.path.join(root, path))]
        except (OSError, subprocess.CalledProcessError):
            pass  # no git, or a checkout that it refuses to read
    found = []
    for layer in LAYERS:
        for folder, inner, files in os.walk(os.path.join(root, layer)):
            inner[:] = [name for name in inner if name != "__pycache__"]
            found += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in files]
    return found


def mapped_folders(text):
    """Returns the folders of the table under "Map", in their order."""
    section = re.search(r"^## Map$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^\| `([^`]+)` \|", section.group(1), re.MULTILINE) if section else []


def faults(root):
    """Returns a line for each difference between the map and the tree."""
    with open(os.path.join(root, MAP), encoding="utf-8") as file:
        mapped = mapped_folders(file.read())
    folders = {path.rpartition("/")[0] for path in tracked_files(root)}
    mirrors = {f"tests/{folder}" for folder in mapped}
    lines = [f"{MAP}: the map lacks {folder}" for folder in sorted(folders - set(mapped) - mirrors)]
    lines += [f"{MAP}: the map names {folder}, which holds no file" for folder in sorted(set(mapped) - folders)]
    lines += [f"{MAP}: the map names {folder} twice" for folder in sorted(set(mapped)) if mapped.count(folder) > 1]
    return lines


def is_member(owner, member, sources):
    """Returns whether a source declares OWNER and names MEMBER."""
    declares = re.compile(rf"\b(?:class|struct|namespace) (?:\w+ )*{owner}\b")
    return any(f"{owner}::{member}" in text or (declares.search(text) and re.search(rf"\b{member}\b", text))
               for text in sources)


def missing_names(root):
    """Returns a line for each file or member that a page names in backquotes, but that is not there."""
    paths = [os.path.join(root, path) for path in tracked_files(root) if path.endswith((".h", ".cpp"))]
    sources = [open(path, encoding="utf-8").read() for path in paths]
    lines = []
    for page in sorted(path for pages in PAGES for path in glob.glob(os.path.join(root, pages), recursive=True)):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        name = os.path.relpath(page, root)
        for path in sorted(set(re.findall(rf"`((?:{'|'.join(LAYERS)})/[\w./*-]*\.\w+)`", text))):
            if "NAME" not in path and not glob.glob(os.path.join(root, path)):
                lines.append(f"{name}: {path} is not there")
        for owner, member in sorted(set(re.findall(r"`([A-Z]\w+)::(\w+)(?:\(\))?`", text))):
            if not is_member(owner, member, sources):
                lines.append(f"{name}: no source has {owner}::{member}")
    return lines


def plant(root, folders, mapped):
    """Writes a file into each of FOLDERS, and a map of the folders in MAPPED."""
    for folder in folders:
        os.makedirs(os.path.join(root, folder), exist_ok=True)
        with open(os.path.join(root, folder, "file.cpp"), "w", encoding="utf-8"):
            pass
    os.makedirs(os.path.join(root, os.path.dirname(MAP)), exist_ok=True)
    with open(os.path.join(root, MAP), "w", encoding="utf-8") as file:
        file.write("# Page\n\n| `core/elsewhere` | x |\n\n## Map\n\n| folder | contents |\n| --- | --- |\n")
        file.writelines(f"| `{folder}` | x |\n" for folder in mapped)
        file.write("\n## Recipes\n\n| `core/later` | x |\n")


def self_test():
    """Returns a line for each case whose result is not the expected one."""
    cases = [
        ("a map that is right", ["core/base", "app"], ["core/base", "app"], []),
        ("a missing folder", ["core/base", "core/new"], ["core/base"], ["lacks core/new"]),
        ("tests of a folder", ["core/base", "tests/core/base"], ["core/base"], []),
        ("tests of a folder that is not there", ["core/base", "tests/core/new"], ["core/base"], ["lacks tests/core/new"]),
        ("a missing parent", ["app", "app/ui"], ["app/ui"], ["lacks app"]),
        ("a folder that is not there", ["core/base"], ["core/base", "core/old"], ["names core/old, which holds no file"]),
        ("a folder without files of its own", ["app/ui"], ["app", "app/ui"], ["names app, which holds no file"]),
        ("a folder named twice", ["app"], ["app", "app"], ["names app twice"]),
        ("no map", ["app"], [], ["lacks app"]),
    ]
    missed = []
    for checkout in (False, True):
        for name, folders, mapped, expected in cases:
            with tempfile.TemporaryDirectory() as root:
                plant(root, folders, mapped)
                if checkout:
                    try:
                        subprocess.run(["git", "-C", root, "init", "-q"], check=True, capture_output=True)
                        subprocess.run(["git", "-C", root, "add", "-A"], check=True, capture_output=True)
                    except (OSError, subprocess.CalledProcessError):
                        continue  # no git: the cases above are all that can be tried
                    with open(os.path.join(root, folders[0], "untracked.cpp"), "w", encoding="utf-8"):
                        pass
                    os.makedirs(os.path.join(root, "core/untracked"))
                    with open(os.path.join(root, "core/untracked/file.cpp"), "w", encoding="utf-8"):
                        pass
                found = [line.removeprefix(f"{MAP}: the map ") for line in faults(root)]
                if found != expected:
                    missed.append(f"{name} ({'git' if checkout else 'no git'}): found {found}, expected {expected}")
    with tempfile.TemporaryDirectory() as root:
        plant(root, ["core"], ["core"])
        with open(os.path.join(root, "core/tree.h"), "w", encoding="utf-8") as file:
            file.write("class Tree { int depth(); };\nclass Leaf;\n")
        with open(os.path.join(root, MAP), "a", encoding="utf-8") as file:
            file.write("`core/tree.h`, `core/old.h`, `core/*.h`, `core/NAME.h`, `Tree::depth()`, `Tree::old()`, `Bush::depth`\n")
        found = [line.removeprefix(f"{MAP}: ") for line in missing_names(root)]
        expected = ["core/old.h is not there", "no source has Bush::depth", "no source has Tree::old"]
        if found != expected:
            missed.append(f"names: found {found}, expected {expected}")
    return missed


def main():
    if len(sys.argv) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    lines = self_test() if sys.argv[1] == "--self-test" else faults(sys.argv[1]) + missing_names(sys.argv[1])
    print("\n".join(lines) if lines else "map_test: all folders are in the map, and all names in the sources")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
