# Part of tests/gpu/run: lets the bundle's programs start on a machine without Orogen's dependencies.

prepare_libraries() {
    local machines ours path=$bundle/lib
    machines=$(ldconfig -p 2>/dev/null)
    if [[ $machines != *libEGL.so.1* ]]; then
        [[ -d $bundle/debs ]] && path+=:$bundle/debs/usr/lib/x86_64-linux-gnu
        path+=:$bundle/lib-loaders
    fi
    # The bundle's libstdc++ is used only if the machine's own lacks its newest symbol version.
    ours=$(strings -a "$bundle"/lib-compiler/libstdc++.so.6 2>/dev/null | grep -oE '^GLIBCXX_3\.4\.[0-9]+$' | sort -V | tail -1)
    machines=$(sed -nE 's/.*libstdc\+\+\.so\.6 .*x86-64.* => (.*)/\1/p' <<<"$machines" | head -1)
    if [[ -z $machines ]] || ! grep -qaF "${ours:-GLIBCXX_3.4.30}" "$machines"; then
        path+=:$bundle/lib-compiler
    fi
    [[ -d /usr/local/nvidia/lib64 ]] && path+=:/usr/local/nvidia/lib64
    export LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# libglvnd finds a driver through a JSON file, which containers often lack although they have the driver.
prepare_vendor_file() {
    [[ -n ${__EGL_VENDOR_LIBRARY_FILENAMES:-} ]] && return
    compgen -G '/usr/share/glvnd/egl_vendor.d/*nvidia*' >/dev/null && return
    compgen -G '/etc/glvnd/egl_vendor.d/*nvidia*' >/dev/null && return
    local shipped=/usr/local/nvidia/share/glvnd/egl_vendor.d/10_nvidia.json
    if [[ ! -e $shipped ]]; then
        [[ $(ldconfig -p 2>/dev/null) == *libEGL_nvidia.so.0* || -e /usr/local/nvidia/lib64/libEGL_nvidia.so.0 ]] || return
        shipped=$scratch/10_nvidia.json
        say '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}' >"$shipped"
    fi
    export __EGL_VENDOR_LIBRARY_FILENAMES=$shipped
}

# Links the tree's build-time path to the bundle during the run, because tests find their files by that path.
prepare_source_root() {
    local built_in
    built_in=$(<"$bundle/source-root")
    export OROGEN_DATA_DIR=$bundle/tree
    [[ -e $built_in ]] && return
    if mkdir -p -- "${built_in%/*}" 2>/dev/null && ln -s -- "$bundle/tree" "$built_in" 2>/dev/null; then
        link=$built_in
    else
        say "Note: $built_in cannot be made to lead here, so tests that read files of the tree will fail"
    fi
}

check_machine() {
    [[ -d $bundle/tree ]] || give_up "$bundle: not there; make it with 'tests/gpu/run pack' where Orogen builds"
    [[ $(uname -m) == x86_64 ]] || give_up "this machine is $(uname -m), and the bundle is for x86_64"
    local has needs
    has=$(getconf GNU_LIBC_VERSION | awk '{ print $2 }')
    needs=$(<"$bundle/glibc")
    [[ $(printf '%s\n%s\n' "$needs" "$has" | sort -V | tail -1) == "$has" ]] ||
        give_up "this machine's C library is $has, and the bundle needs $needs or newer; pack it on an older system"
}
