#!/usr/bin/env bash
# packages.sh ROOT: compares the package list in ROOT/run with the dependencies of the build and the tests. Prints a
# line for each difference; exits 1 if there is one.
#
# Dependencies are find_package, pkg_check_modules, find_program, find_library and literal COMMANDs in CMake files,
# <includes> in sources, and programs that tests name. A dependency without a line in the table below is a difference,
# too, so that none is added without its package.
set -uo pipefail
root=${1:?usage: packages.sh ROOT}
cd -- "$root" || exit 1

# Columns: kind, name (a glob), package that contains it. "-": part of every Debian or of the compiler. "optional": used
# if found, and never installed by run.
table='
cmake    Threads            -
cmake    PkgConfig          pkgconf
cmake    PNG                libpng-dev
cmake    TIFF               libtiff-dev
cmake    ZLIB               zlib1g-dev
cmake    EXPAT              libexpat1-dev
cmake    PROJ               libproj-dev
cmake    glm                libglm-dev
cmake    fmt                libfmt-dev
cmake    nlohmann_json      nlohmann-json3-dev
cmake    CLI11              libcli11-dev
cmake    glfw3              libglfw3-dev
cmake    GTest              libgtest-dev
cmake    benchmark          libbenchmark-dev
cmake    TBB                libtbb-dev
cmake    OpenMP             -
cmake    Eigen3             libeigen3-dev
cmake    CUDAToolkit        optional
cmake    GDAL               libgdal-dev
cmake    OpenGL             libgl-dev
cmake    OpenGL:OpenGL      libopengl-dev
cmake    OpenGL:EGL         libegl-dev
pkg      imgui              libimgui-dev
pkg      egl                libegl-dev
pkg      gmp                libgmp-dev
pkg      mpfr               libmpfr-dev
pkg      lapacke            liblapacke-dev
pkg      x11                libx11-dev
pkg      xtst               libxtst-dev
library  gmp                libgmp-dev
library  gmpxx              libgmp-dev
library  mpfr               libmpfr-dev
library  lapacke            liblapacke-dev
program  glad               python3-glad
program  nvcc               optional
program  compute-sanitizer  optional
program  nvidia-smi         optional
program  ccache             optional
program  git                optional
program  shellcheck         optional
program  cmake              cmake
program  ctest              cmake
program  ninja              ninja-build
program  pkg-config         pkgconf
program  g++                g++
program  c++                g++
program  clang++            clang
program  orogen*            -
program  python3            python3
program  xvfb-run           xvfb
program  xvfb-run           xauth
program  Xvfb               xvfb
program  xauth              xauth
program  xdotool            xdotool
program  openbox            openbox
program  glslangValidator   glslang-tools
program  bash               -
program  gzip               -
program  dpkg               -
program  dpkg-deb           -
program  dpkg-shlibdeps     dpkg-dev
program  file               file
program  assimp             assimp-utils
program  ffmpeg             ffmpeg
program  ffprobe            ffmpeg
program  sh                 -
program  sudo               -
program  touch              -
program  true               -
program  false              -
include  fmt/*              libfmt-dev
include  glm/*              libglm-dev
include  nlohmann/*         nlohmann-json3-dev
include  CLI/*              libcli11-dev
include  GLFW/*             libglfw3-dev
include  EGL/*              libegl-dev
include  GL/*               libgl-dev
include  KHR/*              libegl-dev
include  glad/*             python3-glad
include  imgui*             libimgui-dev
include  backends/imgui*    libimgui-dev
include  stb*               libstb-dev
include  png.h              libpng-dev
include  tiff*.h            libtiff-dev
include  gtest/*            libgtest-dev
include  gmock/*            libgmock-dev
include  benchmark/*        libbenchmark-dev
include  gmp.h              libgmp-dev
include  gmpxx.h            libgmp-dev
include  mpfr.h             libmpfr-dev
include  lapacke.h          liblapacke-dev
include  Eigen/*            libeigen3-dev
include  tbb/*              libtbb-dev
include  zlib.h             zlib1g-dev
include  expat.h            libexpat1-dev
include  geodesic.h         libproj-dev
include  X11/*              libx11-dev
include  X11/extensions/XTest.h libxtst-dev
include  gdal*              libgdal-dev
include  ogr*               libgdal-dev
include  cpl_*              libgdal-dev
include  cuda*              optional
include  cooperative_groups* optional
include  cublas*            optional
include  cusolver*          optional
include  nvtx3/*            optional
include  sys/*              -
include  linux/*            -
include  sanitizer/*        -
include  experimental/*     -
include  *intrin.h          -
'
# C and POSIX headers. A header without a suffix belongs to C++.
system_headers=' arpa/inet.h assert.h ctype.h dirent.h dlfcn.h elf.h errno.h execinfo.h fcntl.h fenv.h float.h ftw.h
 glob.h inttypes.h libgen.h limits.h link.h locale.h malloc.h math.h netinet/in.h omp.h poll.h pthread.h pty.h pwd.h sched.h
 semaphore.h setjmp.h signal.h spawn.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h syslog.h termios.h time.h
 ucontext.h unistd.h utime.h wait.h wchar.h '
# Packages in run that no file names.
at_run_time=' libgl1-mesa-dri fonts-dejavu-core '  # the driver that libGL and libEGL load; the panels' typeface
toolchain=' g++ cmake ninja-build '  # implied by CMakeLists.txt and CMakePresets.json

cmake_files() { find . \( -path ./build -o -path ./.git \) -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \) -print; }
source_files() {
    find app core compute shaders tests -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0
}

# calls FILE NAME: prints the arguments of each call of a CMake command, one call per line.
calls() {
    sed 's/#.*//' "$1" | tr '\n"' '  ' | grep -oE "(^|[^A-Za-z_])$2 *\([^()]*" | sed -E 's/^[^(]*\( *//; s/ +/ /g'
}

# Both print lines of "scope kind name"; the scope is tests for dependencies of the tests alone.
looked_for_by_cmake() {
    local file scope word words
    while read -r file; do
        scope=build
        [[ $file == ./tests/* ]] && scope=tests
        while read -r -a words; do
            echo "$scope cmake ${words[0]}"
            for word in "${words[@]:1}"; do  # components in packages of their own
                [[ ${words[0]} == OpenGL && $word =~ ^(OpenGL|EGL)$ ]] && echo "$scope cmake OpenGL:$word"
            done
        done < <(calls "$file" find_package)
        while read -r -a words; do
            for word in "${words[@]:1}"; do
                [[ $word =~ ^[A-Z_]+$ ]] || echo "$scope pkg ${word%%[<>=]*}"
            done
        done < <(calls "$file" '(pkg_check_modules|pkg_search_module)')
        while read -r -a words; do
            for word in "${words[@]:1}"; do
                [[ $word == NAMES ]] && continue
                [[ $word =~ ^[A-Z_]+$ ]] && break
                echo "$scope program $word"
            done
        done < <(calls "$file" find_program)
        while read -r -a words; do
            for word in "${words[@]:1}"; do
                [[ $word == NAMES ]] && continue
                [[ $word =~ ^[A-Z_]+$ ]] && break
                echo "$scope library $word"
            done
        done < <(calls "$file" find_library)
        while read -r word; do
            echo "$scope program $word"
        done < <(sed 's/#.*//' "$file" | grep -oE '(^|[^A-Z_])COMMAND +[A-Za-z][^ )]*' | sed -E 's/.* //')
    done < <(cmake_files)
}

looked_for_by_sources() {
    local file name scope
    while IFS=: read -r file name; do
        scope=build
        [[ $file == tests/* ]] && scope=tests
        echo "$scope include $name"
    done < <(source_files | xargs -0 grep -oHE '^[ 	]*#[ 	]*include[ 	]*<[^>]+>' | sed -E 's/:.*</:/; s/>$//')
}

# Prints the programs that tests start: arguments of `command -v` in scripts, and names from the table, in quotes (C++)
# or as words (scripts).
looked_for_by_tests() {
    local names
    names=$(awk '$1 == "program" && $3 !~ /^(-|optional)$/ { gsub(/\+/, "[+]", $2); printf "%s%s", sep, $2; sep = "|" }' <<<"$table")
    find tests -type f -name '*.sh' ! -path 'tests/run/*' -print0 | xargs -0 -r sed -E 's/(^|[ \t])#.*//' |
        grep -oE "command -v [A-Za-z0-9_.+-]+|(^|[^A-Za-z0-9_./+-])($names)([^A-Za-z0-9_./+-]|$)" |
        sed -E 's/command -v //; s/[^A-Za-z0-9_.+-]//g; s/^/tests program /'
    find tests -type f \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 grep -hoE "\"($names)[\" ]" |
        sed -E 's/[" ]//g; s/^/tests program /'
}

# ---- the comparison -----------------------------------------------------------------------------------------------
declare -A group_of
while read -r group package _; do
    [[ -n $package ]] && group_of[$package]=$group
done < <(sed -n "/^packages='/,/^'/p" run | sed '1d;$d')
((${#group_of[@]})) || { echo "run: no package list found (packages='...')"; exit 1; }

declare -A used
differences=0
differs() { echo "$*"; differences=$((differences + 1)); }

kinds=() names=() brings=()
while read -r kind name package; do
    [[ -n $kind ]] && kinds+=("$kind") names+=("$name") brings+=("$package")
done <<<"$table"

compare() {  # SCOPE KIND NAME
    [[ $2 == include && -e $3 ]] && return  # a file of this tree
    local row package known=no group
    for row in "${!kinds[@]}"; do
        # shellcheck disable=SC2053  # the table holds globs
        [[ ${kinds[row]} == "$2" && $3 == ${names[row]} ]] || continue
        known=yes
        package=${brings[row]}
        [[ $package == - || $package == optional ]] && continue
        group=${group_of[$package]:-}
        used[$package]=yes
        if [[ -z $group ]]; then
            differs "$2 $3 is looked for ($1), and its package $package is not in run's list"
        elif [[ $1 == build && $group == tests ]]; then
            differs "$2 $3 is looked for by the build, and run installs its package $package for the tests alone"
        fi
    done
    [[ $known == yes ]] && return
    [[ $2 == include && ($3 != *[./]* || $system_headers == *[[:space:]]"$3"[[:space:]]*) ]] && return
    differs "$2 $3 is looked for ($1), and tests/run/packages.sh does not know which package brings it"
}

while read -r scope kind name; do
    compare "$scope" "$kind" "$name"
done < <({ looked_for_by_cmake; looked_for_by_sources; looked_for_by_tests; } | sort -u)

for package in "${!group_of[@]}"; do
    [[ $at_run_time$toolchain == *" $package "* || -n ${used[$package]:-} ]] ||
        differs "$package is in run's list, and nothing looks for it"
done
for package in $at_run_time $toolchain; do
    [[ ${group_of[$package]:-} == build ]] || differs "$package is not in run's list"
done
((differences == 0))
