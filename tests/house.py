#!/usr/bin/env python3
"""Counts what keeps the code readable: files, lines, functions, rooms, crossings of the two worlds.

    tests/house.py [ROOT]

Production code is C++, CUDA and GLSL under app, compute, core and shaders. A function is a body in braces whose
opening line follows the project's clang-format style; its length includes the signature and both braces."""
import collections
import pathlib
import re
import subprocess
import sys

CODE = ('.cpp', '.h', '.cu', '.cuh', '.def', '.glsl', '.comp', '.vert', '.frag')
ROOMS = ('app', 'compute', 'core', 'shaders')
CONTROL = re.compile(r'^\s*(if|else|for|while|switch|do|try|catch|namespace|struct|class|enum|union|return|extern)\b')


def tracked(root):
    try:
        listed = subprocess.run(['git', '-C', str(root), 'ls-files', '-co', '--exclude-standard'], capture_output=True,
                                text=True, check=True).stdout.split('\n')
        names = [name for name in listed if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(root)) for path in root.rglob('*') if path.is_file()]
    return [name for name in names if name.split('/')[0] in ROOMS and name.endswith(CODE)]


def function_lengths(lines):
    lengths = []
    for number, line in enumerate(lines):
        one = re.match(r'^( *)\S.*\) *(const|override|noexcept|final| )*\{.*\}$', line)
        if one and not CONTROL.match(line) and '=' not in line.split('(')[0] and not line.rstrip().endswith('};'):
            lengths.append(1)
            continue
        if line.strip() != '{' or number == 0:
            continue
        indent = len(line) - len(line.lstrip())
        start = number - 1
        while start > 0 and len(lines[start]) - len(lines[start].lstrip()) > indent and lines[start].strip():
            start -= 1
        signature = lines[start]
        if '(' not in ' '.join(lines[start:number]) or CONTROL.match(signature):
            continue
        for end in range(number + 1, len(lines)):
            if lines[end].rstrip() == ' ' * indent + '}':
                lengths.append(end - start + 1)
                break
    return sorted(lengths)


def methods_of(text, name):
    """Counts the declarations of functions in the body of a class."""
    found = re.search(rf'^class {name}\b[^;{{]*\n\{{\n(.*?)^\}};', text, re.M | re.S)
    if not found:
        return None
    body = re.sub(r'//[^\n]*', '', found.group(1))
    return len(re.findall(r'^    (?!return|else|if|for|while)[^\s#/}][^;{=]*\(', body, re.M))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    names = tracked(root)
    text = {name: (root / name).read_text(errors='replace') for name in names}
    lines = {name: content.count('\n') for name, content in text.items()}
    folders = collections.Counter(name.rsplit('/', 1)[0] for name in names)
    lengths = sorted(length for name in names for length in function_lengths(text[name].split('\n')))
    classes = collections.Counter(match for name in names if name.endswith(('.h', '.cpp'))
                                  for match in re.findall(r'^class (\w+)\b(?!::)[^;]*$', text[name], re.M))

    def files_with(pattern, ends=CODE):
        return sum(bool(re.search(pattern, text[name])) for name in names if name.endswith(ends))

    print(f'files                              {len(names)}')
    print(f'lines                              {sum(lines.values())}')
    print(f'lines a file                       {sum(lines.values()) // len(names)}')
    print(f'files under 30 lines               {sum(count < 30 for count in lines.values())}')
    print(f'longest file                       {max(lines.values())} ({max(lines, key=lines.get)})')
    print(f'files in the largest folder        {folders.most_common(1)[0][1]} ({folders.most_common(1)[0][0]})')
    print(f'functions                          {len(lengths)}')
    print(f'function length, median, p90, max  {lengths[len(lengths) // 2]}, {lengths[len(lengths) * 9 // 10]}, {lengths[-1]}')
    print(f'class names used twice             {" ".join(name for name, count in classes.items() if count > 1) or "none"}')
    print(f'files with onEarth()               {files_with(r"onEarth[(][)]")}')
    print(f'files with terrain.earth()         {files_with(r"terrain[_.>-]*[.>]earth[(]")}')
    earth = files_with(r'\bOROGEN_EARTH\b', CODE[5:])  # not include guards such as OROGEN_EARTH_SEA_GLSL
    print(f'shader files with OROGEN_EARTH     {earth}')
    for owner in ('Renderer', 'Session', 'ModuleRun'):
        counts = [count for name in names if name.endswith('.h') and (count := methods_of(text[name], owner))]
        print(f'methods of {owner:24}{" ".join(map(str, counts)) or "no such class"}')


if __name__ == '__main__':
    main()
