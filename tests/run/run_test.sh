#!/usr/bin/env bash
# Tests the script `run` with fakes for the programs that it starts, which record their calls: nothing is installed or
# built. Each case is a function; its name is the property.
# Fakes are in single quotes, to expand when they run. Cases are called by the names that declare prints.
# shellcheck disable=SC2016,SC2317
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'chmod -R u+w -- "$scratch"; rm -rf -- "$scratch"' EXIT
failures=0
fails() { echo "FAILED: $case_name: $*"; failures=$((failures + 1)); }

# ---- fixtures -----------------------------------------------------------------------------------------------------

# PATH with every program of this machine except the fakes below, so that a case sees only what it set up.
mkdir "$scratch/system"
ln -s /usr/bin/* "$scratch/system" 2>/dev/null
rm -f "$scratch/system/"{sudo,apt-get,dpkg,dpkg-query,id,cmake,ninja,ctest,tput}

fake() {  # NAME SCRIPT: makes a program that records its call and then runs SCRIPT
    printf '#!/bin/bash\nprintf "%%s" "%s" >>"$CALLS"; printf " [%%s]" "$@" >>"$CALLS"; echo >>"$CALLS"\n%s\n' \
        "$1" "$2" >"$stage/bin/$1"
    [[ -x $stage/bin/$1 ]] || chmod +x "$stage/bin/$1"
}

# make_template: makes root's stage on a Debian where everything is installed and builds.
make_template() {
    stage=$scratch/template
    mkdir -p "$stage/bin" "$stage/a tree" "$stage/home" "$stage/elsewhere"
    cp "$root/run" "$stage/a tree/run"
    : >"$stage/calls"
    : >"$stage/absent"
    fake id '[[ $1 == -un ]] && echo somebody || cat "$STAGE/uid"'
    echo 0 >"$stage/uid"
    fake dpkg 'echo amd64'
    fake dpkg-query 'mapfile -t absent <"$STAGE/absent"
    for package; do
        case $package in -*|*{*) continue ;; esac
        if [[ " ${absent[*]} " == *" $package "* ]]; then echo "dpkg-query: no packages found matching $package" >&2
        else echo "$package amd64 installed"; fi
    done; [[ ! -s $STAGE/absent ]]'
    fake apt-get 'case " $* " in
        *" update "*) : >"$STAGE/lists" ;;
        *) [[ -e $STAGE/lists ]] || exit 100 ;;
    esac'
    fake cmake 'if [[ $1 == --build ]]; then
        printf "#!/bin/bash\nprintf \"[%%s]\" \"\$@\"; printf \" in %%s\" \"\$PWD\"; exit 7\n" >"$2/orogen"; chmod +x "$2/orogen"
    fi'
    fake ninja ''
    fake ctest 'while (($#)); do [[ $1 == --output-junit ]] && cp "$STAGE/results.xml" "$2"; shift; done; exit 8'
    cat >"$stage/results.xml" <<'XML'
<testsuite name="(empty)" tests="4" failures="1" disabled="1" skipped="1">
	<testcase name="Good.one" classname="Good.one" time="0.1" status="run">
	<testcase name="Bad.one" classname="Bad.one" time="0.1" status="fail">
	<testcase name="Absent.one" classname="Absent.one" time="0.1" status="notrun">
	<testcase name="Off.one" classname="Off.one" time="0" status="disabled">
</testsuite>
XML
}

# set_stage: copies the template. Each case then changes a part of it.
set_stage() {
    stage=$scratch/$case_name
    cp -r "$scratch/template" "$stage"
    tree="$stage/a tree"  # with a space
    export CALLS=$stage/calls STAGE=$stage HOME=$stage/home
}

# call ARGUMENTS: runs the copy of run from another folder, without a terminal; sets out, err and status.
call() {
    out=$(cd "$stage/elsewhere" && env -u CI ${CI_VALUE:+CI=$CI_VALUE} PATH="$stage/bin:$scratch/system" \
        "$tree/run" "$@" 2>"$stage/err" </dev/null)
    status=$?
    err=$(<"$stage/err")
}
exits() { [[ $status == "$1" ]] || fails "exit code $status, expected $1; it said: $out $err"; }
says() { [[ "$out $err" == *"$1"* ]] || fails "'$1' is not in: $out $err"; }
called() { grep -qF -- "$1" "$CALLS" || fails "not called: $1. Calls: $(<"$CALLS")"; }
never_called() { ! grep -qF -- "$1" "$CALLS" || fails "called: $(grep -F -- "$1" "$CALLS")"; }

# ---- the cases ----------------------------------------------------------------------------------------------------

help_names_both_commands() { call --help; exits 0; says './run viewer'; says './run tests'; never_called cmake; }
help_after_a_command_builds_nothing() { call viewer --help; exits 0; says './run viewer'; never_called cmake; }
no_command_is_a_wrong_call() { call; exits 2; never_called cmake; }
unknown_command_is_a_wrong_call() { call veiwer; exits 2; says "'veiwer'"; never_called cmake; }
unknown_argument_of_tests_is_a_wrong_call() { call tests --lnog; exits 2; says "'--lnog'"; never_called cmake; }

arguments_reach_the_viewer_unchanged() {
    call viewer 'my file.tif' --set 'a=b c' '' '*'
    exits 7
    [[ $out == "[view][my file.tif][--set][a=b c][][*] in $stage/elsewhere" ]] || fails "the viewer got $out"
}
after_two_dashes_all_is_the_viewers() { call viewer -- --help --no-install; [[ $out == '[view][--help][--no-install]'* ]] || fails "$out"; }

nothing_missing_installs_nothing() { call viewer; exits 7; never_called apt-get; }
no_install_names_what_is_missing_and_stops() {
    printf '%s\n' libpng-dev cmake >"$stage/absent"
    call viewer --no-install
    exits 1
    says libpng-dev; says cmake
    [[ "$out $err" != *libtiff-dev* ]] || fails "it names libtiff-dev, which is installed"
    never_called apt-get
    never_called 'cmake ['
    [[ ! -e $tree/build ]] || fails "it made a build folder"
}
no_install_goes_on_where_nothing_is_missing() { call viewer --no-install; exits 7; }
no_install_counts_before_the_command_too() { echo cmake >"$stage/absent"; call --no-install viewer; exits 1; never_called apt-get; }
half_installed_is_missing() {
    fake dpkg-query 'printf "%s amd64 installed\n" "${@:4}"; echo "cmake amd64 half-configured"'
    sed -i 's/"${@:4}"/$(printf "%s\\n" "${@:4}" | grep -vx cmake)/' "$stage/bin/dpkg-query"
    call viewer --no-install
    exits 1; says cmake
}
another_architecture_is_missing() {
    sed -i 's/echo "$package amd64/[[ $package == libpng-dev ]] \&\& echo "$package i386 installed" || echo "$package amd64/' "$stage/bin/dpkg-query"
    call viewer --no-install
    exits 1; says libpng-dev
}

what_is_missing_is_shown_and_installed() {
    printf '%s\n' libpng-dev cmake >"$stage/absent"
    : >"$stage/lists"
    call viewer
    exits 7
    says 'Installing 2 Debian packages'; says libpng-dev
    called '[install] [cmake] [libpng-dev]'
    never_called update
}
absent_package_lists_are_fetched_first() {
    echo cmake >"$stage/absent"
    call viewer
    exits 7
    called '[update]'
    [[ $(grep -n 'update' "$CALLS" | cut -d: -f1) -lt $(grep -n 'install' "$CALLS" | tail -1 | cut -d: -f1) ]] || fails "order: $(<"$CALLS")"
}
a_failed_installation_shows_why() {
    echo cmake >"$stage/absent"
    fake apt-get 'echo "E: no such thing"; exit 100'
    call viewer
    exits 1; says 'E: no such thing'; never_called 'cmake ['
}
apt_asks_nothing() {
    echo cmake >"$stage/absent"
    : >"$stage/lists"
    fake apt-get '[[ $DEBIAN_FRONTEND == noninteractive || $* == *--simulate* ]] || exit 100'
    call viewer
    exits 7; called 'apt-get [-y]'
}
the_viewer_does_not_install_for_tests() { echo libgtest-dev >"$stage/absent"; call viewer; exits 7; never_called apt-get; called '[-DOROGEN_TESTS=OFF]'; }
tests_install_for_tests() { echo libgtest-dev >"$stage/absent"; : >"$stage/lists"; call tests; called '[libgtest-dev]'; called '[-DOROGEN_TESTS=ON]'; }

no_root_and_no_sudo_says_the_command() {
    echo 1000 >"$stage/uid"
    printf '%s\n' libpng-dev cmake >"$stage/absent"
    call viewer
    exits 1
    says 'apt-get install --no-install-recommends cmake libpng-dev'
    never_called 'apt-get ['
    never_called 'cmake ['
}
no_root_and_sudo_that_wants_a_password_says_the_command() {
    echo 1000 >"$stage/uid"
    echo cmake >"$stage/absent"
    fake sudo 'exit 1'
    call viewer
    exits 1; says 'apt-get install'; never_called 'apt-get ['
}
no_root_installs_through_sudo() {
    echo 1000 >"$stage/uid"
    echo cmake >"$stage/absent"
    : >"$stage/lists"
    fake sudo '[[ $1 == -n ]] && shift; "$@"'
    call viewer
    exits 7
    called 'sudo [-n] [env] [DEBIAN_FRONTEND=noninteractive] [apt-get]'
}
no_root_needs_no_sudo_where_nothing_is_missing() { echo 1000 >"$stage/uid"; call viewer; exits 7; }

no_debian_names_the_packages_and_builds() {
    rm "$stage/bin/apt-get" "$stage/bin/dpkg-query"
    call viewer
    exits 7; says 'not Debian'; says libglfw3-dev; says OpenGL
}

a_failed_build_shows_the_compilers_words_alone() {
    fake cmake '[[ $1 == --build ]] || exit 0; echo "[1/2] Building CXX object a.o"; echo "a.cpp:3: error: no"; exit 1'
    call viewer
    exits 1; says 'a.cpp:3: error: no'
    [[ "$out $err" != *'Building CXX object'* ]] || fails "progress lines among the errors"
}
a_build_that_works_says_nothing() { call viewer; [[ -z $err ]] || fails "it said: $err"; }
a_long_build_says_that_it_begins() {
    fake cmake '[[ $1 == --build ]] || exit 0; echo "[1/90] Building CXX object a.o"; echo "[2/90] Building CXX object b.o"
        printf "#!/bin/bash\nexit 7\n" >"$2/orogen"; chmod +x "$2/orogen"'
    call viewer
    exits 7
    [[ $err == 'Building in build/release: 90 steps'* && $err != *$'\n'* ]] || fails "it said: $err"
}
a_failed_configuration_is_tried_afresh_once() {
    mkdir -p "$tree/build/release"; : >"$tree/build/release/CMakeCache.txt"
    fake cmake 'if [[ $1 == --build ]]; then printf "#!/bin/bash\nexit 7\n" >"$2/orogen"; chmod +x "$2/orogen"; else [[ $1 == --fresh ]]; fi'
    call viewer
    exits 7; called 'cmake [--fresh]'
}
an_nvcc_that_does_not_work_is_left_out() {
    fake cmake 'if [[ $1 == --build ]]; then printf "#!/bin/bash\nexit 7\n" >"$2/orogen"; chmod +x "$2/orogen"
        else echo "The CUDA compiler identification is unknown"; [[ $* == *-DOROGEN_CUDA=OFF* ]]; fi'
    call viewer
    exits 7; says 'built without'
}
an_nvcc_that_does_not_work_fails_in_ci() {
    fake cmake 'echo "The CUDA compiler identification is unknown"; [[ $* == *-DOROGEN_CUDA=OFF* ]]'
    CI_VALUE=true call tests
    exits 1; says 'CUDA compiler identification'
}
a_configuration_that_fails_for_another_reason_keeps_cuda() {
    fake cmake 'echo "CMake Error: no glfw"; exit 1'
    call viewer
    exits 1; says 'no glfw'; never_called OROGEN_CUDA
}
the_viewer_leaves_built_tests_alone() {
    mkdir -p "$tree/build/release"; echo 'OROGEN_TESTS:BOOL=ON' >"$tree/build/release/CMakeCache.txt"
    call viewer
    exits 7; called '[-DOROGEN_TESTS=ON]'; called '[--target] [orogen]'
}
the_viewer_drops_tests_whose_packages_are_gone() {
    mkdir -p "$tree/build/release"; echo 'OROGEN_TESTS:BOOL=ON' >"$tree/build/release/CMakeCache.txt"
    echo libgtest-dev >"$stage/absent"
    call viewer
    exits 7; called '[-DOROGEN_TESTS=OFF]'
}
warnings_are_errors_in_ci() { CI_VALUE=true call tests; called '[-DOROGEN_WERROR=ON]'; }
warnings_are_errors_for_nobody_else() { call tests; called '[-DOROGEN_WERROR=OFF]'; }
an_unwritable_tree_is_one_line() {
    chmod a-w "$tree"
    [[ -w $tree ]] && return  # the superuser writes anywhere
    call viewer
    exits 1; says "$tree/build/release"
}

tests_exit_as_ctest_does() { call tests; exits 8; }
skipped_tests_are_counted_and_named() {
    call tests
    says '1 passed, 1 failed, 1 skipped, 1 disabled, of 4'
    says Absent.one; says Off.one
    [[ $out != *Good.one* ]] || fails "it names a test that passed"
}
results_of_an_earlier_run_are_not_counted() {
    mkdir -p "$tree/build/release"; cp "$stage/results.xml" "$tree/build/release/tests.xml"
    fake ctest 'exit 1'
    call tests
    exits 1; says 'no results'
}
thorough_and_long_tests_are_left_out() { call tests; called '[-LE] [^(long|thorough)$]'; }
a_quick_run_leaves_opengl_and_the_program_out_too() { call tests --quick; called '[-LE] [^(long|thorough|gl|cli|run)$]'; }
a_thorough_run_leaves_the_long_tests_out() { call tests --thorough; called '[-LE] [^long$]'; }
quick_and_long_exclude_each_other() { call tests --quick --long; exits 2; never_called ctest; }
every_architecture_is_compiled_when_asked_for() {
    call viewer --all-architectures
    called '[-DOROGEN_ALL_ARCHITECTURES=ON]'
}
gdal_is_built_in() {
    call viewer
    called '[-DOROGEN_GDAL=ON]'
}
gdal_is_left_out_when_asked_for() {
    call viewer --without-gdal
    called '[-DOROGEN_GDAL=OFF]'
}
the_old_option_for_gdal_is_accepted() {
    call viewer --with-gdal
    called '[-DOROGEN_GDAL=ON]'
}
the_time_left_follows_from_the_steps() {
    eval "$(sed -n '/^time_left()/,/^}/p' "$root/run")"
    [[ $(time_left 30 90 60) == 'about 2 min left' ]] || fails "$(time_left 30 90 60)"
    [[ $(time_left 80 90 160) == 'about 20 s left' ]] || fails "$(time_left 80 90 160)"
    [[ $(time_left 90 90 160) == 'about 0 s left' ]] || fails "$(time_left 90 90 160)"
}
long_tests_run_when_asked_for() { call tests --long; exits 8; called 'ctest ['; never_called '[-LE]'; }
long_tests_that_passed_are_not_run_again() {
    local kept="$tree/build/release/Testing/Temporary"
    call tests --long; never_called '[-F]'
    fake cmake ''  # nothing is rebuilt
    mkdir -p "$kept"
    printf '3\n4\n5\n' >"$kept/CTestCheckpoint.txt"
    printf ' 1/9 Test  #4: a.b ....***Failed    0.10 sec\n 2/9 Test #5: c .... Passed 0.1 sec\n' >"$tree/build/release/tests-long.log"
    call tests --long; called '[-F]'; says 'after the 2 that passed'
    [[ $(tr '\n' ' ' <"$kept/CTestCheckpoint.txt") == '3 5 ' ]] || fails "kept: $(<"$kept/CTestCheckpoint.txt")"
    : >"$CALLS"
    touch -d '1 minute ago' "$kept/CTestCheckpoint.txt"  # older than the program
    call tests --long; never_called '[-F]'
    printf '3\n' >"$kept/CTestCheckpoint.txt"
    call tests; never_called '[-F]'
    printf '3\n' >"$kept/CTestCheckpoint.txt"  # left by a run with short counts
    call tests --long; never_called '[-F]'
}
only_a_long_run_has_long_counts() {
    fake ctest 'echo "long: ${OROGEN_LONG_TESTS:-no}"'
    call tests; says 'long: no'
    call tests --long; says 'long: 1'
}
the_software_renderer_takes_one_core_a_test() {
    fake ctest 'echo "threads: $LP_NUM_THREADS"'
    call tests
    says 'threads: 1'
}
home_may_be_read_only() {
    chmod a-w "$HOME"
    call viewer
    exits 7
    [[ -z $(ls -A "$HOME") ]] || fails "something was written into the home folder"
}
works_through_a_link() {
    local real=$tree
    ln -s "$tree/run" "$stage/elsewhere/run"
    tree=$stage/elsewhere
    call viewer
    exits 7; called "[-S] [$real]"
    [[ -x $real/build/release/orogen ]] || fails "not built beside the real file"
}

# ---- all of them --------------------------------------------------------------------------------------------------
cases=$(declare -F | awk '{ print $3 }' | grep -vxE 'fails|fake|make_template|set_stage|call|exits|says|called|never_called')
count=0
make_template
for case_name in $cases; do
    set_stage
    "$case_name"
    count=$((count + 1))
done
((failures == 0)) && echo "run_test: $count cases"
exit $((failures > 0))
