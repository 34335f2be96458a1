"""Recomputes the statistics of a capture's folder from its run-NN.csv alone, in exact arithmetic, and compares them
with report.json to the last printed digit. Written from the definitions in the report's text; shares no code with the
program. usage: report_statistics_oracle.py FOLDER"""
import csv
import hashlib
import json
import math
import os
import struct
import sys
from fractions import Fraction as F

UNITS = 10**4  # per millisecond: times are whole multiples of the file's last decimal
ERRORS = ["error_max_px", "error_p99_px"]
TIMES = ["cpu_ms", "wait_ms", "swap_ms", "gpu_ms"]
MACHINE = ["cpu_mhz", "cpu_c", "cpu_w", "gpu_mhz", "gpu_memory_mhz", "gpu_c", "gpu_w"]
REASONS = ["cpu_thermal", "gpu_power_cap", "gpu_slowdown", "gpu_thermal", "gpu_power_brake"]
PASSES = ["gpu_update_ms", "gpu_reduce_ms", "gpu_decode_ms", "gpu_draw_ms", "gpu_ui_ms"]


def read_run(path):
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as file:
        return list(csv.DictReader(file))


def flags(row):
    return row["flags"].split("|") if row["flags"] else []


def measured(rows):
    return [row for row in rows if "warmup" not in flags(row)]


def cells(rows, column):
    return [units(row[column]) for row in rows if row[column] != ""]


def units(text):
    whole, decimals = text.split(".")
    assert len(decimals) == 4
    return int(whole) * UNITS + int(decimals)


def ms(value):
    return F(value) / UNITS


def percentile(ordered, p):
    at = (len(ordered) - 1) * F(p) / 100
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def distribution(values):
    if not values:
        return None
    ordered = sorted(values)
    result = {"count": len(values), "mean": ms(F(sum(values), len(values))), "min": ms(ordered[0]),
              "max": ms(ordered[-1])}
    for name, p in (("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99), ("p999", F("99.9"))):
        result[name] = ms(percentile(ordered, p))
    return result


def lows(result, values, name, key, share, needed):
    names = [name + key, name + "_mean", name + "_time"]
    if len(values) < needed:
        result.update(dict.fromkeys(names))
        result[name + "_reason"] = "fewer than {:,} frames ({:,})".format(needed, len(values))
        return
    slowest = sorted(values, reverse=True)
    count = math.ceil(len(values) * share)
    enough, total, last = sum(values) * share, 0, None
    for last in slowest:
        total += last
        if total >= enough:
            break
    times = [percentile(slowest[::-1], 100 * (1 - share)), F(sum(slowest[:count]), count), last]
    result.update(zip(names, (1000 / ms(time) for time in times)))
    result[name + "_reason"] = None


def stutters(run):
    found = []
    for i, value in enumerate(run):
        window = sorted(run[max(0, i - 9):i + 10])
        middle = len(window) // 2
        twice = 2 * window[middle] if len(window) % 2 else window[middle - 1] + window[middle]  # twice the median
        if value > twice and 2 * value > twice + 2 * 4 * UNITS:
            found.append(i)
    return found


def variation(values):
    if len(values) < 2 or sum(values) == 0:
        return None
    n, total = len(values), sum(values)
    variance = F(n * sum(value * value for value in values) - total * total, n * (n - 1))
    return F(math.isqrt(int(variance * 10**40)), 10**20) * n / total


def animation(tables):
    errors = []
    for rows in tables:
        for before, row in zip(rows, rows[1:]):
            if "warmup" in flags(before) or "warmup" in flags(row) or row["interval_ms"] == "":
                continue
            errors.append(abs(units(row["interval_ms"]) - units(row["t_ms"]) + units(before["t_ms"])))
    return {"mean": ms(F(sum(errors), len(errors))), "p99": ms(percentile(sorted(errors), 99))} if errors else None


def over(values, budget):
    long = [value for value in values if value > budget * UNITS]
    return ms(sum(long)) - len(long) * budget


def missed(runs, hertz):
    count = longest = 0
    for run in runs:
        row = 0
        for value in run:
            row = row + 1 if value * hertz > 1000 * UNITS else 0
            count += row > 0
            longest = max(longest, row)
    return {"count": count, "share": F(count, sum(map(len, runs))), "longest_run": longest}


def autocorrelation(runs):
    along = every = F(0)
    for run in runs:
        if not run:
            continue
        total, n = sum(run), len(run)
        away = [n * value - total for value in run]
        every += F(sum(a * a for a in away), n * n)
        along += F(sum(a * b for a, b in zip(away, away[1:])), n * n)
    return along / every if every else None


def bound(rows):
    counts = [0, 0, 0]
    for row in rows:
        if row["cpu_ms"] == "" or row["gpu_ms"] == "":
            continue
        times = [units(row[column] or "0.0000") for column in ("cpu_ms", "gpu_ms", "swap_ms")]
        counts[times.index(max(times))] += 1
    total = sum(counts)
    if total == 0:
        return None
    return {"frames": total, **{name: F(n, total) for name, n in zip(("cpu", "gpu", "present"), counts)}}


def work(rows):
    def of(column, what):
        values = [int(row[column]) for row in rows if row[column] != ""]
        return what(values) if values else None

    def mean(values):
        return F(sum(values), len(values))

    return {"leaves_mean": of("leaves", mean), "triangles_mean": of("triangles", mean), "splits": of("splits", sum),
            "merges": of("merges", sum), "max_depth": of("max_depth", max), "upload_bytes": of("upload_bytes", sum),
            "vram_max_kib": of("vram_kib", max), "processor_us_mean": of("processor_us", mean),
            "gl_calls_mean": of("gl_calls", mean)}


def machine(rows):
    result = {column: distribution(cells(rows, column)) for column in MACHINE}
    known = [row["throttle"].split("|") for row in rows if row["throttle"] != ""]
    lowered = [reasons for reasons in known if reasons != ["none"]]
    result["throttled"] = {"frames": len(known), "count": len(lowered),
                           "reasons": [name for name in REASONS if any(name in reasons for reasons in lowered)]
                           } if known else None
    return result


def statistics(tables, budget):
    rows = [row for table in tables for row in measured(table)]
    runs = [cells(measured(table), "interval_ms") for table in tables]
    values = [value for run in runs for value in run]
    total = sum(values)
    seconds = ms(total) / 1000
    result = {"frames": len(values), "seconds": seconds, "fps_average": len(values) / seconds if total else None,
              "interval_ms": distribution(values)}
    lows(result, values, "low1", "_p99", F(1, 100), 1000)
    lows(result, values, "low01", "_p999", F(1, 1000), 10000)
    result["coefficient_of_variation"] = variation(values)
    result["animation_error_ms"] = animation(tables)
    changes = [abs(b - a) for run in runs for a, b in zip(run, run[1:])]
    result["jitter_ms"] = {"mean": ms(F(sum(changes), len(changes))),
                           "p99": ms(percentile(sorted(changes), 99))} if changes else None
    slow = [[run[i] for i in stutters(run)] for run in runs]
    count = sum(map(len, slow))
    result["stutter"] = {"count": count, "per_minute": count / (seconds / 60),
                         "time_share": F(sum(map(sum, slow)), total)} if total else None
    result["jank"] = {"budget_ms": budget, "sum_ms": over(values, budget) if values else None}
    result["missed_60hz"] = missed(runs, 60) if values else None
    result["missed_30hz"] = missed(runs, 30) if values else None
    result["bound"] = bound(rows)
    r = result["autocorrelation_lag1"] = autocorrelation(runs)
    result["effective_n"] = None if r is None else max(F(1), len(values) * (1 - max(r, 0)) / (1 + max(r, 0)))
    for column in TIMES:
        result[column] = distribution(cells(rows, column))
    result["passes"] = {column: distribution(cells(rows, column)) for column in PASSES}
    result["work"] = work(rows)
    for column in ERRORS:
        result[column] = distribution(cells(rows, column))
    result["machine"] = machine(rows)
    return result


def work_hash(rows):
    hashed = hashlib.sha256()
    rows = measured(rows)
    for row in rows:
        counters = [row["leaves"], row["triangles"], row["splits"]]
        if "" in counters:
            return None
        hashed.update(struct.pack("<3Q", *map(int, counters)))
    return hashed.hexdigest()[:16] if rows else None


def compare(found, expected, place, wrong):
    if isinstance(expected, dict):
        if not isinstance(found, dict) or list(found) != list(expected):
            wrong.append(f"{place}: found {found!r}, expected the keys {list(expected)}")
            return
        for key in expected:
            compare(found[key], expected[key], f"{place}/{key}", wrong)
    elif isinstance(expected, F) and isinstance(found, (int, float)) and not isinstance(found, bool):
        # Tolerance: half a unit of the seventh decimal, plus the rounding error of a double of this size.
        if abs(F(found) - expected) > F(51, 10**9) + abs(expected) / 2**50:
            wrong.append(f"{place}: found {found!r}, expected {float(expected)!r}")
    elif found != expected or type(found) is not type(expected):
        wrong.append(f"{place}: found {found!r}, expected {expected!r}")


def check_hitches(rows, name, wrong):
    timed = [row for row in measured(rows) if row["interval_ms"] != ""]
    expected = {timed[i]["frame"] for i in stutters(cells(timed, "interval_ms"))}
    found = {row["frame"] for row in rows if "hitch" in flags(row)}
    if found != expected:
        wrong.append(f"{name}: the flag hitch at {sorted(found)}, expected {sorted(expected)}")


def main(folder):
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    budget = F(report["statistics"]["jank"]["budget_ms"])
    if abs(budget - F(1000, 60)) < F(1, 10**6):
        budget = F(1000, 60)
    wrong, tables = [], []
    for run in report["runs"]:
        rows = read_run(os.path.join(folder, run["file"]))
        tables.append(rows)
        expected = {"rows": len(rows), "warmup_frames": len(rows) - len(measured(rows)), "work_hash": work_hash(rows)}
        compare({key: run[key] for key in expected}, expected, run["file"], wrong)
        compare(run["statistics"], statistics([rows], budget), run["file"], wrong)
        check_hitches(rows, run["file"], wrong)
    compare(report["statistics"], statistics(tables, budget), "statistics", wrong)
    undefined = [key for key in report["statistics"] if key not in report["definitions"] and
                 not key.startswith("low")]
    if undefined:
        wrong.append(f"definitions: none of {undefined}")
    print("\n".join(wrong[:20]) or "equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
