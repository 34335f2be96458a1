#!/usr/bin/env bash
# Tests tests/gpu/run with a bundle of fake programs: nothing is built and no GPU is needed. Each case is a function;
# its name is the property.
# Fakes are in single quotes, to expand when they run. Cases are called by the names that declare prints.
# shellcheck disable=SC2016,SC2317
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fails() { echo "FAILED: $case_name: $*"; failures=$((failures + 1)); }

# ---- fixtures -----------------------------------------------------------------------------------------------------

# PATH with every program of this machine except its sanitizer and nvidia-smi.
mkdir "$scratch/system"
ln -s /usr/bin/* "$scratch/system" 2>/dev/null
rm -f "$scratch/system/"{compute-sanitizer,nvidia-smi}

# fake PATH SCRIPT: writes an executable script.
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$1" && chmod +x "$1"; }

# set_stage: makes a bundle on a machine with a GPU where every test passes. Each case then changes a part of it.
set_stage() {
    export STAGE=$scratch/$case_name
    tree=$STAGE/bundle/tree
    tests=$tree/build/release/tests
    mkdir -p "$STAGE"/bin "$STAGE"/bundle/{lib,lib-loaders,lib-compiler} "$tests" "$tree/tests"
    cp -r "$root/tests/gpu" "$tree/tests/"
    echo 2.0 >"$STAGE/bundle/glibc"
    echo "$STAGE" >"$STAGE/bundle/source-root"
    echo 'OnADesktop.*' >"$STAGE/bundle/left-out"
    cat >"$STAGE/info.json" <<'END'
{
  "opengl": {
    "available": true,
    "version": "4.6.0 NVIDIA 580.65",
    "renderer": "NVIDIA H200/PCIe/SSE2",
    "reason": null
  },
  "cuda": {
    "built": true,
    "available": true,
    "reason": null
  }
}
END
    cat >"$STAGE/bench.json" <<'END'
{
  "round_cost": [
    {
      "variant": "at rest",
      "depth": 26,
      "gpu_ms": {
        "minimum": 0.001,
        "median": 0.002
      }
    },
    {
      "variant": "in flight",
      "depth": 26,
      "time_ms": {
        "median": 7.5
      },
      "gpu_ms": {
        "median": 0.085
      }
    }
  ],
  "frame_cost": [],
  "rows": [
    {
      "section": "gpu-cycle",
      "layout": "packed",
      "depth": 17,
      "time_ms": {
        "median": 0.03
      }
    },
    {
      "section": "gpu-cycle",
      "layout": "wide",
      "depth": 17,
      "time_ms": {
        "median": 0.009
      }
    }
  ]
}
END
    fake "$tree/build/release/orogen" 'case $1 in
        info) cat "$STAGE/info.json" ;;
        bench) cat "$STAGE/bench.json" ;;
        view) for word; do [[ $last != --screenshot ]] || echo picture >"$word"; last=$word; done ;;
        capture) for word; do
                [[ $last != --trace ]] ||
                    echo "{\"name\":\"draw\",\"cat\":\"gpu\",\"ts\":1,\"dur\":860,\"args\":{\"frame\":240}}" >"$word"
                last=$word
            done ;;
    esac'
    fake "$tests/orogen_gpu_tests" '
        for word; do [[ $word != --gtest_output=json:* ]] || results=${word#*json:}; done
        [[ "$*" != *Goals* ]] || cat "$STAGE/figures"
        [[ -z ${results:-} ]] || printf "{\n  \"tests\": 3,\n  \"failures\": 0\n}\n" >"$results"
        echo "[  PASSED  ] 3 tests."'
    cp "$tests/orogen_gpu_tests" "$tests/orogen_gl_tests"
    fake "$STAGE/bin/compute-sanitizer" 'echo "[  PASSED  ] 5 tests."; echo "========= ERROR SUMMARY: 0 errors"'
    sed -nE 's/^ *expect_figure "([^"]*)" "([^"]*)" (more|less) ([0-9.]+)$/figure: \1 | \2 | \3 | \4 | \4 | 1/p' \
        "$tree/tests/gpu/run" >"$STAGE/figures"
}

# set_figure NAME VALUE: replaces the printed value of a figure.
set_figure() { sed -i -E "s/^(figure: $1 \| [^|]* \| [^|]* \| [^|]* \|) [^|]* /\1 $2 /" "$STAGE/figures"; }

run_there() {
    OUT=$STAGE/out PATH=$STAGE/bin:$scratch/system bash "$tree/tests/gpu/run" >"$STAGE/said" 2>&1
    status=$?
}

# Prints the state of a step on the page: "not run" for "compute-sanitizer memcheck".
state_of() { sed -nE "s/^(passed|failed|not run) +$1 .*/\1/p" "$STAGE/out/summary.txt" | head -1; }
figure_of() { awk -v name="$1" 'index($0, name) == 1 { print $NF; exit }' "$STAGE/out/summary.txt"; }
expect() { [[ $2 == "$3" ]] || fails "$1 is '$2', expected '$3'"; }
expect_json() {
    python3 -m json.tool "$STAGE/out/summary.json" >"$STAGE/json" 2>&1 || fails "summary.json: $(<"$STAGE/json")"
}

# ---- the cases ----------------------------------------------------------------------------------------------------

case_on_a_gpu_that_meets_its_goals_steps_pass_and_what_was_not_found_is_told() {
    run_there
    expect "exit code" "$status" 3  # the benchmark's file has no frames
    expect "tests" "$(state_of 'CUDA, right')" passed
    expect "sanitizer" "$(state_of 'compute-sanitizer memcheck')" passed
    expect "a goal" "$(figure_of 'look-back, 2^33 bits')" met
    expect "a round" "$(figure_of 'round, 1 M leaves, D = 26')" met
    grep -q 'round, 1 M leaves, D = 26 .* 0.085 ' "$STAGE/out/summary.txt" || fails "the GPU's own clock was not taken"
    expect "the cycle" "$(figure_of 'cycle at D = 17')" met
    expect "passes" "$(state_of 'passes of a frame')" passed
    grep -q '^pass draw, 1920x1080' "$STAGE/out/summary.txt" || fails "the pass of the trace is not listed"
    grep -q '^frame 1920x1080.* not run$' "$STAGE/out/summary.txt" || fails "a frame that is not there was found"
    grep -q '^failed' "$STAGE/out/summary.txt" && fails "$(grep '^failed' "$STAGE/out/summary.txt")"
    expect_json
}

case_without_a_gpu_every_line_says_that_it_was_not_run() {
    sed -i 's/"available": true/"available": false/; s|NVIDIA H200.SSE2|llvmpipe|' "$STAGE/info.json"
    sed -i 's/"reason": null/"reason": "there is none"/' "$STAGE/info.json"
    run_there
    expect "exit code" "$status" 3
    grep -qE '^(passed|failed)' "$STAGE/out/summary.txt" && fails "$(grep -E '^(passed|failed)' "$STAGE/out/summary.txt")"
    grep -qE ' (met|missed|found)$' "$STAGE/out/summary.txt" && fails "a figure without a GPU"
    expect_json
}

case_a_goal_that_is_missed_fails_the_run_and_a_sanitizer_that_is_missing_never_passed() {
    rm "$STAGE/bin/compute-sanitizer"
    set_figure 'dot product, 1e6 x 50' 0.31
    run_there
    expect "exit code" "$status" 1
    expect "the figure" "$(figure_of 'dot product, 1e6 x 50')" missed
    expect "the step" "$(state_of 'CUDA, goals')" passed
    [[ -x /usr/local/cuda/bin/compute-sanitizer ]] && return
    expect "missing" "$(state_of 'compute-sanitizer memcheck')" "not run"
}

case_a_sanitizer_that_is_refused_silent_or_out_of_time_never_passed() {
    fake "$STAGE/bin/compute-sanitizer" 'case $2 in
        memcheck) echo "========= Device not supported"; exit 1 ;;
        racecheck) exec sleep 100 ;;
        synccheck) exit 0 ;;
    esac'
    sed -i 's/sanitizer_step racecheck 30/sanitizer_step racecheck 1/' "$tree/tests/gpu/run"
    run_there
    expect "refused" "$(state_of 'compute-sanitizer memcheck')" "not run"
    expect "out of time" "$(state_of 'compute-sanitizer racecheck')" "not run"
    expect "silent" "$(state_of 'compute-sanitizer synccheck')" "not run"
    expect "exit code" "$status" 3
}

case_an_error_that_a_sanitizer_or_a_test_finds_fails_the_run() {
    fake "$STAGE/bin/compute-sanitizer" 'echo "========= ERROR SUMMARY: 2 errors"; exit 9'
    fake "$tests/orogen_gl_tests" 'for word; do [[ $word != --gtest_output=json:* ]] || results=${word#*json:}; done
        printf "{\n  \"tests\": 3,\n  \"failures\": 1\n}\n" >"$results"
        echo "[  FAILED  ] LodTree.Grows (3 ms)"; exit 1'
    run_there
    expect "exit code" "$status" 1
    expect "sanitizer" "$(state_of 'compute-sanitizer racecheck')" failed
    expect "tests" "$(state_of 'OpenGL, the tree')" failed
    grep -q 'LodTree.Grows' "$STAGE/out/summary.txt" || fails "the test is not named"
}

case_a_run_that_is_killed_leaves_what_it_had_found() {
    fake "$STAGE/bin/compute-sanitizer" 'kill -KILL "$(<"$STAGE/run.pid")"'
    OUT=$STAGE/out PATH=$STAGE/bin:$scratch/system bash -c 'echo $$ >"$STAGE/run.pid"; exec bash "$0"' \
        "$tree/tests/gpu/run" >"$STAGE/said" 2>&1
    expect "tests" "$(state_of 'CUDA, right')" passed
    expect "a goal" "$(figure_of 'sparse CG, n = 1e6')" met
    grep -q '"finished": false' "$STAGE/out/summary.json" || fails "it says that it finished"
    expect_json
}

for case_name in $(declare -F | sed -nE 's/^declare -f (case_.*)/\1/p'); do
    [[ -z ${1:-} || $case_name == *$1* ]] || continue
    set_stage
    "$case_name"
done
((failures == 0)) && echo "tests/gpu/run does what it says"
exit $((failures > 0))
