#!/usr/bin/env python3
"""Finds comments that begin with a word which only the sentence above explains, and long commit subjects.

    tests/language_lint.py ROOT          prints "file:line: text" for each find; exits 1 if there is one
    tests/language_lint.py --self-test   plants each kind of find in a temporary folder, and fails if one is missed

Checked are starts of blocks, of sentences inside them, and of trailing comments. Commit subjects may have 72 characters
in the last 20 commits since this file was added; without git history they are skipped.
"""
import os
import re
import subprocess
import sys
import tempfile

WORDS = ("Of", "What", "Whatever", "Whoever", "The same", "Likewise", "Such", "None", "Or else", "But for")
AT_START = re.compile(r"(?:%s)\b" % "|".join(WORDS), re.IGNORECASE)
IN_SENTENCE = re.compile(r"[.:;?!]\s+(?:%s)\b" % "|".join(WORDS))
STRING = r'"(?:\\.|[^"\\])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\])*\''
SLASHES = re.compile(STRING + r"|/[/*]+(?P<text>.*)")
HASH = re.compile(r'\s*"""(?P<docstring>.+)|' + STRING + r"|(?<!\S)#+(?!!)(?P<text>.*)")
MARKERS = [(r"\.(h|cpp|cuh?|glsl|comp|vert|frag|geom|tesc|tese|def)$", SLASHES),
           (r"\.(py|sh|cmake)$|(^|/)(CMakeLists\.txt|run)$", HASH)]


def git(root, *arguments):
    """Returns the lines that git prints; none if it fails or if ROOT is not a checkout itself."""
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 and os.path.exists(os.path.join(root, ".git")) else []
    except OSError:
        return []


def files_in(root):
    files = [os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names]
    kept = set(git(root, "ls-files")) or {name for name in files if name.split(os.sep)[0] not in ("build", ".git")}
    return sorted(kept & set(files))


def faults_in(lines, marker):
    before = ""  # end of the block so far, or empty
    for number, line in enumerate(lines, 1):
        found = next((m for m in marker.finditer(line) if m.lastgroup), None)
        text = found[found.lastgroup].strip() if found else ""
        alone = found is not None and not line[:found.start()].strip()
        before = before if alone else ""
        if not before and AT_START.match(text) or IN_SENTENCE.search(before + text):
            yield f"{number}: {line.strip()}"
        before = text.split()[-1] + " " if alone and text else ""


def lint(root):
    for name in files_in(root):
        for marker in (marker for pattern, marker in MARKERS if re.search(pattern, name)):
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                yield from (f"{name}:{fault}" for fault in faults_in(file, marker))
    added = git(root, "log", "-1", "--diff-filter=A", "--format=%h", "--", "tests/language_lint.py")
    for line in git(root, "log", "-20", "--no-merges", "--format=%h %s") if added else ():
        if len(line.partition(" ")[2]) > 72:
            yield f"commit {line.partition(' ')[0]}:1: {line.partition(' ')[2]}"
        if line.startswith(added[0]):
            return


def plant(root):
    """Writes a tree with finds, and text that is none, and returns the expected output."""
    expected = []
    for name in ("a.h", "a.cpp", "a.cu", "a.glsl", "a.comp", "a.py", "a.sh", "a.cmake", "CMakeLists.txt", "run"):
        mark = "#" if re.search(MARKERS[1][0], name) else "//"
        words = "Of,What,Whatever,Whoever,The same,Likewise,Such,None,Or else,But for,of,what".split(",")
        bad = [f"{mark} {word} it is." for word in words] + [f"x('a')  {mark} {word} it is" for word in words]
        bad += [f"{mark} A sum. Of it all.", f"{mark} A sum.\n{mark} What of it.", f"x()  {mark} a sum: Such as this"]
        good = [f"{mark} Sums of what\n{mark} the same such are.", f'x("{mark} Of it")', f"x()  {mark} offset; none"]
        lines = [line for text in bad + good for line in ["x()", *text.split("\n")]]
        with open(os.path.join(root, name), "w") as file:
            file.write("\n".join(lines))
        expected += [f"{name}:{lines.index(text.split(chr(10))[-1]) + 1}: " + text.split("\n")[-1] for text in bad]
    return expected


def self_test():
    with tempfile.TemporaryDirectory() as root:
        expected, found = plant(root), list(lint(root))
        os.mkdir(os.path.join(root, ".git"))
        if not git(root, "init", "-q", "-b", "main") and not os.path.exists(os.path.join(root, ".git", "HEAD")):
            print("no git: commit subjects are not tested")
            return set(expected) ^ set(found)
        os.mkdir(os.path.join(root, "tests"))
        with open(os.path.join(root, "tests", "language_lint.py"), "w"):
            git(root, "add", "tests")
        for length in (73, 72):
            git(root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "commit", "-q",
                "--no-verify", "--allow-empty", "-m", "x" * length)
        subjects = [line.split()[-1] for line in lint(root)]
        return set(expected) ^ set(found) | {line for line in ["x" * 73] if subjects != [line]}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    test = sys.argv[1] == "--self-test"
    finds = sorted(self_test()) if test else list(lint(sys.argv[1]))
    print("\n".join(finds + [f"{len(finds)} {'wrong' if test else 'found'}"]))
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
