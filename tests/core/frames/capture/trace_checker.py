"""Checks a trace against the rules of Chrome's Trace Event Format, of which it needs no other program: complete events
and metadata alone, numbers that are finite, events of a thread that nest or are apart. Prints the number of events by
category, a line each. usage: trace_checker.py FILE"""
import collections
import json
import sys
from decimal import Decimal

METADATA = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"a key occurs twice in {keys}"
    return dict(pairs)


def refuse(text):
    raise ValueError(f"{text} is no JSON number")


def check_metadata(event):
    assert set(event) == {"name", "ph", "pid", "tid", "args"}, event
    assert list(event["args"]) == [METADATA[event["name"]]], event
    assert isinstance(event["args"][METADATA[event["name"]]], int if "index" in event["name"] else str), event


def check_complete(event, named):
    assert set(event) == {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"}, event
    assert isinstance(event["name"], str) and event["name"], event
    assert isinstance(event["cat"], str) and event["cat"], event
    assert isinstance(event["args"], dict), event
    for key in ("ts", "dur"):
        assert isinstance(event[key], (Decimal, int)) and event[key] >= 0, event
    assert (event["pid"], event["tid"]) in named, f"{event}: its thread has no name"


def check_nesting(events):
    """Sorts by begin, longer first, and keeps a stack of the events that are open."""
    open_ends = []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        end = event["ts"] + event["dur"]
        while open_ends and open_ends[-1] <= event["ts"]:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1], f"{event} overlaps the end of another event of its thread"
        open_ends.append(end)


def main(file):
    with open(file, encoding="utf-8") as text:
        trace = json.load(text, parse_float=Decimal, parse_constant=refuse, object_pairs_hook=unique)
    assert list(trace) == ["traceEvents", "displayTimeUnit"] and trace["displayTimeUnit"] in ("ms", "ns")
    named, threads, counts = set(), collections.defaultdict(list), collections.Counter()
    for event in trace["traceEvents"]:
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        assert event["ph"] in ("M", "X"), event
        if event["ph"] == "M":
            check_metadata(event)
            named.add((event["pid"], event["tid"]))
            continue
        check_complete(event, named)
        threads[event["pid"], event["tid"]].append(event)
        counts[event["cat"]] += 1
    for events in threads.values():
        check_nesting(events)
    for category in sorted(counts):
        print(category, counts[category])


if __name__ == "__main__":
    main(sys.argv[1])
