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

# Prints the file of a library. awk reads all lines: ldconfig would else end by SIGPIPE now and then.
file_of() { ldconfig -p | awk -v name="$1" '$1 == name && !found {print $NF; found = 1}'; }

# GDAL is loaded by name, so the program's list of libraries lacks it.
gdal=$(LC_ALL=C grep -a -o -E 'libgdal\.so\.[0-9]+' -- "$program" | sort -u | head -n 1 || true)
loaded=()
if [[ -z $gdal ]]; then
    if grep -q '^GDAL_LIBRARY:[A-Z]*=/' "$build/CMakeCache.txt" && ! grep -q '^OROGEN_GDAL:STRING=OFF' "$build/CMakeCache.txt"; then
        echo "$program: found no name of GDAL's library, expected one, since the build has GDAL" >&2
        exit 1
    fi
else
    file=$(file_of "$gdal")
    [[ -n $file ]] || { echo "$gdal: not found" >&2; exit 1; }
    loaded=("$file")
fi
libraries() { ldd "$program" "${loaded[@]}"; [[ -z $gdal ]] || printf '%s => %s\n' "$gdal" "${loaded[0]}"; }

missing=$(libraries | awk '/not found/ {print $1}')
[[ -z $missing ]] || { echo "$program: these libraries are missing here: $missing" >&2; exit 1; }
# Prints the package of a file; nothing for a file of none. Where /lib links to /usr/lib, a package names either.
package_of() {
    local file
    file=$(readlink -f -- "$1")
    { dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}" 2>/dev/null || true; } | sed -n '1s/:.*//p'
}
declare -A packages=()
while read -r soname file; do
    [[ $soname =~ $left ]] && continue
    cp -L -- "$file" "$stage/lib/$soname"
    package=$(package_of "$file")
    [[ -z $package ]] || packages[$package]=1
done < <(libraries | awk '$3 ~ /^\// {print $1, $3}' | LC_ALL=C sort -u)

# The panels' library loads libGL by name, and finds no such name where only libegl1 is installed. These two dispatch to
# the drivers of the system through its libGLdispatch.
for soname in libGL.so.1 libGLX.so.0; do
    file=$(file_of "$soname")
    [[ -n $file ]] || { echo "$soname: not found; Debian: libgl1" >&2; exit 1; }
    cp -L -- "$file" "$stage/lib/$soname"
    package=$(package_of "$file")
    [[ -z $package ]] || packages[$package]=1
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
