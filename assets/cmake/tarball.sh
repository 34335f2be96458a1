#!/usr/bin/env bash
# tarball.sh BUILD OUT: packs the installation of a build with its libraries, as OUT/orogen-VERSION-linux-ARCH.tar.gz.
#
# Left to the system: the C and C++ libraries, EGL, and the libraries that drivers load themselves, of which only one
# copy can be in a process. They are newer wherever the tarball runs, if it is built on the oldest system.
set -euo pipefail
build=${1:?usage: tarball.sh BUILD OUT} out=${2:?usage: tarball.sh BUILD OUT}
[[ -f $build/CMakeCache.txt ]] || { echo "$build: found no CMakeCache.txt, expected a build folder" >&2; exit 2; }
left='^(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libEGL|libGLdispatch|libdrm.*|libX11.*|libxcb.*|libXau|libXdmcp|libbsd|libmd|libz|libzstd|libexpat|libxml2|libelf|libffi|libedit|libtinfo|liblzma|libbz2)\.so'

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/first" --strip >/dev/null
program=$scratch/first/bin/orogen
name=orogen-$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")-linux-$(uname -m)
stage=$scratch/$name
mv "$scratch/first" "$stage"
program=$stage/bin/orogen
mkdir -p "$stage/lib" "$stage/share/doc/orogen/libraries"

# GDAL is loaded by name, so the program's list of libraries lacks it.
gdal=$(strings -- "$program" | grep -m 1 -E '^libgdal\.so\.[0-9]+$' || true)
loaded=()
if [[ -n $gdal ]]; then
    file=$(ldconfig -p | awk -v name="$gdal" '$1 == name {print $NF; exit}')
    [[ -n $file ]] || { echo "$gdal: not found" >&2; exit 1; }
    loaded=("$file")
fi
libraries() { ldd "$program" "${loaded[@]}"; [[ -z $gdal ]] || printf '%s => %s\n' "$gdal" "${loaded[0]}"; }

missing=$(libraries | awk '/not found/ {print $1}')
[[ -z $missing ]] || { echo "$program: these libraries are missing here: $missing" >&2; exit 1; }
declare -A packages=()
while read -r soname file; do
    [[ $soname =~ $left ]] && continue
    cp -L -- "$file" "$stage/lib/$soname"
    package=$(dpkg -S "$(readlink -f -- "$file")" 2>/dev/null | sed -n '1s/:.*//p')
    [[ -z $package ]] || packages[$package]=1
done < <(libraries | awk '$3 ~ /^\// {print $1, $3}' | LC_ALL=C sort -u)

# The panels' library loads libGL by name, and finds no such name where only libegl1 is installed. These two dispatch to
# the drivers of the system through its libGLdispatch.
for soname in libGL.so.1 libGLX.so.0; do
    file=$(ldconfig -p | awk -v name="$soname" '$1 == name {print $NF; exit}')
    [[ -n $file ]] || { echo "$soname: not found; Debian: libgl1" >&2; exit 1; }
    cp -L -- "$file" "$stage/lib/$soname"
    packages[$(dpkg -S "$(readlink -f -- "$file")" | sed -n '1s/:.*//p')]=1
done

# Licences of the libraries. Some are copyleft: whoever passes the tarball on has to offer their source, too.
for package in "${!packages[@]}"; do
    [[ -f /usr/share/doc/$package/copyright ]] &&
        cp -L -- "/usr/share/doc/$package/copyright" "$stage/share/doc/orogen/libraries/$package.copyright"
done
printf '%s\n' "${!packages[@]}" | LC_ALL=C sort | xargs dpkg-query -W -f '${Package} ${Version} (source: ${source:Package} ${source:Version})\n' \
    >"$stage/share/doc/orogen/libraries/VERSIONS"

# PROJ finds its data beside its library's folder; the panels' fonts are looked for below the program's data.
if [[ -f /usr/share/proj/proj.db ]]; then
    mkdir -p "$stage/share/proj"
    for file in proj.db proj.ini egm96_15.gtx; do
        [[ ! -f /usr/share/proj/$file ]] || cp -L -- "/usr/share/proj/$file" "$stage/share/proj"
    done
fi
fonts=/usr/share/fonts/truetype/dejavu
if [[ -d $fonts ]]; then
    mkdir -p "$stage/share/orogen/fonts"
    cp -L -- "$fonts"/{DejaVuSans,DejaVuSans-Bold,DejaVuSansMono}.ttf "$stage/share/orogen/fonts"
    cp -L -- /usr/share/doc/fonts-dejavu-core/copyright "$stage/share/doc/orogen/libraries/fonts-dejavu-core.copyright"
fi

mkdir -p "$out"
tar --create --gzip --file "$out/$name.tar.gz.tmp" --directory "$scratch" --owner 0 --group 0 --sort name -- "$name"
mv -- "$out/$name.tar.gz.tmp" "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
