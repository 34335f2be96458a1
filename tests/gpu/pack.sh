# Part of tests/gpu/run: collects the bundle for the machine with the GPU.

# Libraries that belong to the target machine: the C library, its loader and the graphics driver.
of_the_machine='^(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libresolv|libanl|libutil|libcuda|libnvidia.*)\.so'
# Loaders of libglvnd. They contain no driver, so they may be copied; used only on machines without their own.
loaders='^(libGL|libEGL|libGLX|libOpenGL|libGLdispatch|libGLESv.*)\.so'
# Libraries of the compiler: used only where the machine's are older, because its driver may need newer ones.
compilers='^(libstdc\+\+|libgcc_s)\.so'

copy_library() {  # PATH
    local name=${1##*/}
    if [[ $name =~ $of_the_machine ]]; then
        return
    elif [[ $name =~ $loaders ]]; then
        cp -L -- "$1" "$bundle/lib-loaders/"
    elif [[ $name =~ $compilers ]]; then
        cp -L -- "$1" "$bundle/lib-compiler/"
    else
        cp -L -- "$1" "$bundle/lib/"
    fi
}

# gpu_test_programs: prints the executables of the tests that CTest labels gl or gpu.
gpu_test_programs() {
    ctest --test-dir "$root/build/release" -N -V -L '^(gl|gpu)$' |
        sed -nE 's/^[0-9]+: Test command: "?([^"]*[^" ])"? "--gtest_filter=.*/\1/p' | sort -u
}

# Prints the suites that start an X server. They render in software, and the target machine has no X server.
suites_with_a_server() {
    grep -rlZ --include='*.cpp' 'support/xvfb\.h' "$root/tests" |
        xargs -0 -r sed -nE 's/^TEST(_F|_P)?\(([A-Za-z0-9_]+),.*/\2.*/p' | sort -u | paste -sd :
}

# Copies the files that tests and the program read, including the sources that shaders and tests inspect.
copy_tree() {
    mkdir -p "$bundle/tree"
    (cd "$root" && tar -cf - --exclude='*.cpp' --exclude='*.cu' --exclude='tests/fuzz' --exclude='assets/pictures' \
        app assets compute core shaders tests) | tar -xf - -C "$bundle/tree"
}

copy_program() {  # PATH, inside the tree
    local target=$bundle/tree/${1#"$root"/}
    mkdir -p "${target%/*}"
    strip -o "$target" "$1"
    local library
    while read -r library; do
        copy_library "$library"
    done < <(ldd "$1" | sed -nE 's/.* => (\/[^ ]+) .*/\1/p')
}

# Prints the newest C library version that the bundle needs.
needed_glibc() {
    find "$bundle/tree/build" "$bundle/lib" -type f -exec objdump -T {} + 2>/dev/null |
        grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -1 | sed 's/GLIBC_//'
}

unpack_debs() {  # DIR
    local deb
    mkdir -p "$bundle/debs"
    for deb in "$1"/*.deb; do
        [[ -e $deb ]] || give_up "$1: no *.deb in it"
        dpkg-deb -x "$deb" "$bundle/debs" || give_up "$deb: could not be unpacked"
    done
}

pack() {
    local debs=''
    if [[ ${1:-} == --debs && -n ${2:-} ]]; then
        debs=$2
    elif (($#)); then
        usage >&2
        exit 2
    fi
    say "Building the preset release"
    cmake -S "$root" --preset release -DOROGEN_TESTS=ON >/dev/null || give_up "CMake could not configure"
    cmake --build "$root/build/release" --target orogen orogen_gl_tests orogen_gpu_tests \
        >"$root/build/release/gpu-pack.log" ||
        give_up "the build failed ($root/build/release/gpu-pack.log)"

    rm -rf -- "$bundle"
    mkdir -p "$bundle"/{lib,lib-loaders,lib-compiler}
    copy_tree
    copy_program "$root/build/release/orogen"
    local program
    while read -r program; do
        copy_program "$program"
        say "${program#"$root"/}" >>"$bundle/test-programs"
    done < <(gpu_test_programs)
    [[ -s $bundle/test-programs ]] || give_up "no test has the label gl or gpu, so there is nothing to run"
    suites_with_a_server >"$bundle/left-out"
    [[ -z $debs ]] || unpack_debs "$debs"
    needed_glibc >"$bundle/glibc"
    say "$root" >"$bundle/source-root"

    local mib archive=$bundle.tar.xz
    tar -C "${bundle%/*}" -cf - "${bundle##*/}" | xz -T0 >"$archive" || give_up "$archive: could not be written"
    mib=$(du -sm "$archive" | cut -f1)
    ((mib <= archive_limit_mib)) || give_up "$archive takes $mib MiB, and $archive_limit_mib may travel"
    say "$archive: $mib MiB ($(du -sm "$bundle" | cut -f1) unpacked), $(wc -l <"$bundle/test-programs") test program(s)," \
        "C library $(<"$bundle/glibc") or newer"
}
