#!/usr/bin/env bash
# package_test.sh BUILD CMAKE CPACK: checks that the installation is complete, can be moved, and contains no path of the
# source tree. Checks that its Debian package lists its dependencies.
set -uo pipefail
build=${1:?usage: package_test.sh BUILD CMAKE CPACK} cmake=$2 cpack=$3
source=$(sed -n 1p "$build/orogen.built-from")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fails() { echo "FAILED: $*"; failures=$((failures + 1)); }
unset DISPLAY WAYLAND_DISPLAY OROGEN_DATA_DIR
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config
mkdir -p "$HOME"

rm -rf -- "$build/reference"  # as after ./run viewer, which builds only the program
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
mv "$scratch/first" "$scratch/moved here"  # the program finds its data relative to itself
prefix=$scratch/moved\ here

for file in bin/orogen share/orogen/core/gpu_layout.h share/orogen/shaders/shading/terrain.frag \
    share/orogen/assets/heightmaps/bigtujunga.tif share/orogen/assets/heightmaps/bigtujunga.home.path \
    share/orogen/assets/heightmaps/jacksboro.tif share/orogen/assets/earth/etopo5.tif share/orogen/assets/earth/blue_marble.tif share/orogen/assets/camera_paths/overview.path \
    share/man/man1/orogen.1.gz share/man/man1/orogen-view.1.gz share/bash-completion/completions/orogen \
    share/zsh/vendor-completions/_orogen share/fish/vendor_completions.d/orogen.fish \
    share/applications/orogen.desktop share/icons/hicolor/scalable/apps/orogen.svg \
    share/metainfo/org.orogen.Orogen.metainfo.xml share/doc/orogen/use/settings.md share/doc/orogen/copyright; do
    [[ -s $prefix/$file ]] || fails "$file is not installed"
done
[[ -z $(find "$prefix" -name '*.cpp' -o -name CMakeLists.txt) ]] || fails "sources are installed"

cd "$scratch"
"$prefix/bin/orogen" --version >version || fails "--version of the installed program"
"$prefix/bin/orogen" view --headless --size 64x36 --frames 2 --screenshot picture.png 2>message ||
    fails "the installed program draws nothing: $(cat message)"
[[ -s picture.png ]] || fails "no picture"
"$prefix/bin/orogen" info "$prefix/share/orogen/assets/heightmaps/jacksboro.tif" >/dev/null || fails "info"

# Only release builds are free of source paths: other builds keep them for the debugger.
if grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$build/CMakeCache.txt"; then
    grep -qF -- "$source" "$prefix/bin/orogen" && fails "the program names the source tree: $(strings -a "$prefix/bin/orogen" | grep -F -m3 -- "$source")"
    "$cpack" --config "$build/CPackConfig.cmake" -D CPACK_OUTPUT_FILE_PREFIX="$scratch/packages" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fails "cpack"; }
    package=$(find "$scratch/packages" -maxdepth 1 -name 'orogen_*.deb')
    if [[ -z $package ]]; then
        fails "there is no package in $(find "$scratch/packages" | tr '\n' ' ')"
    else
        for wanted in libc6 libglfw3 libtiff6 libpng16-16 libgmp10 libegl1 fonts-dejavu-core libgl1-mesa-dri; do
            dpkg-deb --field "$package" Depends | grep -qw -- "$wanted" || fails "the package does not depend on $wanted"
        done
        contents=$(dpkg-deb --contents "$package")  # read whole: closing a pipe early would be an error
        [[ $contents == *' ./usr/bin/orogen'* ]] || fails "the package has no program"
    fi
fi
((failures == 0)) || exit 1
echo "the installation is complete"
