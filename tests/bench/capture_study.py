#!/usr/bin/env python3
"""Measures the reliability of captures on this machine, through the command line.

    tests/bench/capture_study.py aa        equal sides: how often are they reported as different?
    tests/bench/capture_study.py power     15 % more work on one side: how often is it detected?
    tests/bench/capture_study.py overhead  CPU time of a captured frame against one that is only drawn
    tests/bench/capture_study.py kill      rows lost to a kill -9 at a random moment

Each prints a table and, in the last line, the verdict; the exit code is 1 if the bound does not hold. `aa` and
`power` need an idle machine, because other load affects the times.
"""
import argparse
import csv
import json
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "build", "release", "orogen")
# Small images with many triangles, so that the settings change the work rather than the fill rate.
SCENE = ["synthetic:1024", "--headless", "--size", "192x108", "--set", "patch.level=3"]
# Minimal work per frame, where the cost of capturing weighs most.
EMPTY_SCENE = ["synthetic:128", "--headless", "--size", "64x64", "--set", "lod.split_pixels=30"]
MARGIN = 10  # percent


def run(arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, **options)


def interleave(folder, a, b, runs, frames):
    """Captures settings `a` and `b` (dictionaries) interleaved; returns the comparison's JSON."""
    files = []
    for name, settings in (("a.json", a), ("b.json", b)):
        files.append(os.path.join(folder, name))
        with open(files[-1], "w") as out:
            json.dump(settings, out)
    out = os.path.join(folder, "out")
    done = run(["capture", *SCENE, "--out", out, "--runs", str(runs), "--frames", str(frames), "--warmup", "10",
                "--interleave", *files])
    if done.returncode != 0:
        sys.exit(done.stderr)
    compared = run(["compare", "--baseline", out + "/a", "--candidate", out + "/b", "--margin", str(MARGIN), "--json"])
    if compared.returncode not in (0, 1):
        sys.exit(compared.stderr)
    shutil.rmtree(out)
    return json.loads(compared.stdout)


def metric(comparison, name):
    return next(m for m in comparison["metrics"] if m["name"] == name)


def study_aa(options):
    settings = {"lod.split_pixels": 6.0}
    names, flagged, equivalent = [], 0, 0
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(options.pairs):
            comparison = interleave(folder, settings, settings, options.runs, options.frames)
            verdicts = {m["name"]: m["verdict"] for m in comparison["metrics"]}
            names = list(verdicts)
            for name, verdict in verdicts.items():
                counts.setdefault(name, {}).setdefault(verdict, 0)
                counts[name][verdict] += 1
            flagged += any(v in ("faster", "slower") for v in verdicts.values())
            equivalent += verdicts["interval_ms.mean"] == "equivalent"
            print(f"pair {pair + 1:2}: interval_ms.mean ratio {metric(comparison, 'interval_ms.mean')['ratio']:.4f}"
                  f"  {verdicts['interval_ms.mean']}", flush=True)
    kinds = ["equivalent", "inconclusive", "faster", "slower"]
    print(f"\n{'metric':20}" + "".join(f"{k:>14}" for k in kinds))
    for name in names:
        print(f"{name:20}" + "".join(f"{counts[name].get(k, 0):14}" for k in kinds))
    held = flagged <= 0.1 * options.pairs and equivalent >= 0.8 * options.pairs
    print(f"\n{flagged} of {options.pairs} pairs with any metric flagged as different, {equivalent} equivalent by "
          f"interval_ms.mean (margin {MARGIN} %): {'holds' if held else 'DOES NOT HOLD'}")
    return held


def triangles(folder, pixels):
    out = os.path.join(folder, "probe")
    done = run(["capture", *SCENE, "--out", out, "--frames", "40", "--warmup", "0", "--json", "--set",
                f"lod.split_pixels={pixels}"])
    if done.returncode != 0:
        sys.exit(done.stderr)
    shutil.rmtree(out)
    return json.loads(done.stdout)["statistics"]["work"]["triangles_mean"]


def study_power(options):
    base = 6.0
    with tempfile.TemporaryDirectory() as folder:
        wanted = 1.15 * triangles(folder, base)
        low, high = base / 2, base
        for _ in range(8):  # fewer pixels, more triangles
            middle = (low + high) / 2
            low, high = (low, middle) if triangles(folder, middle) < wanted else (middle, high)
        found = 0
        for attempt in range(options.tries):
            comparison = interleave(folder, {"lod.split_pixels": base}, {"lod.split_pixels": high}, options.runs,
                                    options.frames)
            m = metric(comparison, "interval_ms.mean")
            found += m["verdict"] == "slower"
            print(f"try {attempt + 1:2}: triangles {comparison['triangles_ratio']:.4f}, time {m['ratio']:.4f}  "
                  f"{m['verdict']}", flush=True)
    held = found >= 0.9 * options.tries
    print(f"\nlod.split_pixels {base} and {high:.4f}: found in {found} of {options.tries} tries: "
          f"{'holds' if held else 'DOES NOT HOLD'}")
    return held


def cpu_seconds(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(arguments, env={**os.environ, "LP_NUM_THREADS": "0"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def study_overhead(options):
    """Compares the time of frames `short` to `long`; start, warm-up and end cancel out."""
    short, long = 500, 500 + options.frames
    view, capture = [], []
    with tempfile.TemporaryDirectory() as folder:
        def drawn(frames):
            return cpu_seconds(["view", *EMPTY_SCENE, "--path", "overview", "--frames", str(frames)])

        def captured(frames):
            out = os.path.join(folder, "out")
            seconds = cpu_seconds(["capture", *EMPTY_SCENE, "--out", out, "--warmup", "0", "--frames", str(frames)])
            shutil.rmtree(out)
            return seconds

        drawn(short), captured(short)  # warm the caches
        for _ in range(options.runs):
            view.append((drawn(long) - drawn(short)) / (long - short))
            capture.append((captured(long) - captured(short)) / (long - short))
            print(f"drawn {1e3 * view[-1]:.3f} ms a frame, captured {1e3 * capture[-1]:.3f} ms", flush=True)
    ratio = min(capture) / min(view)
    medians = statistics.median(capture) / statistics.median(view)
    held = ratio <= 1.03
    print(f"\nCPU time a frame, minima: {1e3 * min(view):.3f} and {1e3 * min(capture):.3f} ms, ratio {ratio:.4f} "
          f"(of medians {medians:.4f}): {'holds' if held else 'DOES NOT HOLD'}")
    return held


def study_kill(options):
    random.seed(options.seed)
    worst_rows = worst_ms = 0
    with tempfile.TemporaryDirectory() as folder:
        for attempt in range(options.tries):
            out = os.path.join(folder, f"killed-{attempt}")
            process = subprocess.Popen([PROGRAM, "capture", *SCENE, "--out", out, "--frames", "1000000"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            partial = os.path.join(out, "run-01.csv.partial")
            while not (os.path.exists(partial) and open(partial, "rb").read(64).startswith(b"frame,")):
                if process.poll() is not None:
                    sys.exit(process.stderr.read().decode())
                time.sleep(0.001)
            began = time.monotonic()
            time.sleep(random.uniform(0.2, 4))
            alive = time.monotonic() - began
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            recovered = run(["report", "--recover", out])
            if recovered.returncode != 0:
                sys.exit(recovered.stderr)
            kept, rows = [], os.path.join(out, "run-01.csv")
            if os.path.exists(rows):  # absent if no row had reached the disk
                with open(rows, newline="") as file:
                    kept = list(csv.DictReader(file))
            # Upper bound of the loss: from the end of the last kept frame to the kill. Both are measured from the
            # opening of the file, shortly before the first frame.
            end = float(kept[-1]["t_ms"]) if kept else 0.0
            lost_ms = 1e3 * alive - end
            lost_rows = lost_ms / (end / (len(kept) - 1)) if len(kept) > 1 else 0
            worst_rows, worst_ms = max(worst_rows, lost_rows), max(worst_ms, lost_ms)
            print(f"killed after {alive:.2f} s: {len(kept)} rows kept, about {lost_rows:.0f} rows or {lost_ms:.0f} ms "
                  "lost", flush=True)
            if lost_rows > 64 and lost_ms > 1000:
                print("DOES NOT HOLD")
                return False
    print(f"\n{options.tries} kills, at most {worst_rows:.0f} rows or {worst_ms:.0f} ms lost: holds")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="study", required=True)
    aa = commands.add_parser("aa")
    aa.add_argument("--pairs", type=int, default=40)
    power = commands.add_parser("power")
    power.add_argument("--tries", type=int, default=10)
    for command in (aa, power):
        command.add_argument("--runs", type=int, default=6, help="of each side")
        command.add_argument("--frames", type=int, default=120)
    overhead = commands.add_parser("overhead")
    overhead.add_argument("--runs", type=int, default=7)
    overhead.add_argument("--frames", type=int, default=2500)
    kill = commands.add_parser("kill")
    kill.add_argument("--tries", type=int, default=10)
    kill.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    studies = {"aa": study_aa, "power": study_power, "overhead": study_overhead, "kill": study_kill}
    return 0 if studies[options.study](options) else 1


if __name__ == "__main__":
    sys.exit(main())
