#!/usr/bin/env bash
# Tests the recipes of .github/CONTRIBUTING.md: each patch beside this file applies to a copy of the tree, and touches
# at most as many files as its first line says ("At most N files: ..."). With --build FOLDER, builds the copy with all
# patches and tries what they add.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=
[[ ${1:-} == --build ]] && folder=$2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fails() { echo "FAILED: $*"; failures=$((failures + 1)); }

tree=${folder:-$scratch}/tree
rm -rf -- "$tree"
mkdir -p "$tree"
cp -r "$root"/{app,assets,compute,core,shaders,tests,CMakeLists.txt,CMakePresets.json} "$tree"

count=0
for patch in "$root"/tests/recipes/*.patch; do
    name=${patch##*/}
    read -r _ _ most _ <"$patch"
    files=$(grep -c '^+++ ' "$patch")
    [[ $most =~ ^[0-9]+$ ]] || { fails "$name: its first line does not say \"At most N files\""; continue; }
    ((files <= most)) || fails "$name touches $files files, at most $most are allowed"
    (cd "$tree" && GIT_CEILING_DIRECTORIES=${tree%/*} git apply --whitespace=nowarn "$patch") || fails "$name does not apply"
    for key in $(sed -n 's/^+ *{{"\([a-z_.]*\)".*/\1/p' "$patch"); do  # rows of kRows
        grep -q "^        {\"$key\", .*},$" "$tree/tests/core/settings_test.cpp" || fails "$name: contract() of settings_test.cpp lacks $key"
    done
    count=$((count + 1))
done
((count >= 3)) || fails "found $count recipes, expected at least 3"

# Tries what the patches add, in a program built from the copy.
orogen() { "$folder/build/orogen" "$@"; }
try_setting() {
    printf 'set render.exposure 1.5\nexpect render.exposure == 1.5\nclick Terrain/exposure\nquit\n' >"$scratch/setting.script"
    orogen view synthetic:256 --headless --script "$scratch/setting.script" || fails "setting.patch: the setting or its control is not there"
}
try_counter() {
    orogen capture synthetic:256 --headless --size 320x180 --frames 3 --warmup 1 --out "$scratch/capture" >/dev/null &&
        head -n 1 "$scratch/capture/run-01.csv" | grep -q ',visible,' &&
        grep -q '"visible_mean": [0-9]' "$scratch/capture/report.json" || fails "counter.patch: the report lacks the counter"
}
try_module() {
    [[ $(orogen small-sum --first 2 --second 3 --json) == *'"sum": 5'* ]] || fails "compute_module.patch: the command does not answer 5"
}
if [[ -n $folder && $failures == 0 ]]; then
    cmake -S "$tree" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOROGEN_TESTS=OFF -DOROGEN_CUDA=OFF &&
        cmake --build "$folder/build" --target orogen || { fails "the tree with all recipes does not build"; exit 1; }
    try_setting
    try_counter
    try_module
fi
((failures == 0)) && echo "recipes_test: $count recipes${folder:+, built and tried}"
exit $((failures > 0))
