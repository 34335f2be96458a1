#!/usr/bin/env bash
# Checks that the package list in run matches the dependencies, and that packages.sh reports each planted difference by
# name.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
check=$root/tests/run/packages.sh
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fails() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Copies the files that packages.sh reads, for planting.
copy() {
    rm -rf -- "$scratch/tree"
    mkdir -p "$scratch/tree/shaders"
    (cd "$root" && find run CMakeLists.txt app core compute shaders tests assets/cmake -type f \
        \( -name run -o -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.cmake' \
        -o -name CMakeLists.txt \) -print0 | xargs -0 cp --parents -t "$scratch/tree")
}

# caught WHAT TEXT: checks that packages.sh refuses the planted tree with TEXT in its answer.
caught() {
    local answer
    if answer=$("$check" "$scratch/tree"); then
        fails "not seen: $1"
    elif [[ $answer != *"$2"* ]]; then
        fails "$1 is refused, but not for '$2': $answer"
    fi
}

answer=$("$check" "$root") || fails "the tree itself: $answer"

copy
cp "$scratch/tree/run" "$scratch/run"
# Every second package is taken out at once, then the others: each answer names all that it misses.
planted=0
mapfile -t listed < <(sed -n "/^packages='/,/^'/p" "$scratch/run" | sed '1d;$d' | awk 'NF { print $1, $2 }')
for half in 0 1; do
    cp "$scratch/run" "$scratch/tree/run"
    for ((i = half; i < ${#listed[@]}; i += 2)); do
        read -r group package <<<"${listed[i]}"
        sed -i -E "/^$group +${package//+/[+]} /d" "$scratch/tree/run"
    done
    answer=$("$check" "$scratch/tree") && fails "not seen: half of the packages taken out of the list"
    for ((i = half; i < ${#listed[@]}; i += 2)); do
        package=${listed[i]#* }
        planted=$((planted + 1))
        grep -qE "(^|[^a-z0-9+-])${package//+/[+]} is not in run's list" <<<"$answer" ||
            fails "not seen: $package taken out of the list"
    done
done
((planted > 10)) || fails "only $planted packages found in run: the list was not read"

sed -E 's/^build( +libpng-dev )/tests\1/' "$scratch/run" >"$scratch/tree/run"
caught "a package of the build given to the tests alone" "libpng-dev for the tests alone"
sed "/^packages='/a build  libnonesuch-dev  nothing" "$scratch/run" >"$scratch/tree/run"
caught "a package that nothing needs" "libnonesuch-dev is in run's list, and nothing looks for it"
cp "$scratch/run" "$scratch/tree/run"

plant() { copy; mkdir -p "$(dirname "$scratch/tree/$1")"; printf '\n%s\n' "$2" >>"$scratch/tree/$1"; }
plant CMakeLists.txt 'find_package(Nonesuch REQUIRED)'
caught "an unknown find_package" "cmake Nonesuch"
plant CMakeLists.txt $'find_package(\n    TBB)'
caught "a known package that run does not list" "libtbb-dev"
plant CMakeLists.txt 'pkg_check_modules(X REQUIRED imgui "nonesuch>=2")'
caught "an unknown pkg-config module" "pkg nonesuch"
plant CMakeLists.txt 'find_program(X NAMES nonesuch REQUIRED)'
caught "an unknown program" "program nonesuch"
plant tests/CMakeLists.txt 'add_test(NAME x COMMAND nonesuch --version)'
caught "a test that is an unknown program" "program nonesuch"
plant core/planted.h '#include <nonesuch/part.h>'
caught "an unknown include" "include nonesuch/part.h"
plant core/planted.h '#  include <gtest/gtest.h>'
caught "the build using what only the tests install" "libgtest-dev for the tests alone"
plant tests/app/planted_test.sh 'command -v nonesuch'
caught "a script that asks for an unknown program" "program nonesuch"
plant tests/app/planted.cpp 'const char* command = "xdotool key F1";'
caught "a test that names a program of a package that is not listed" "program xdotool"

((failures == 0)) && echo "packages_test: $planted packages taken out, every planted difference seen"
exit $((failures > 0))
