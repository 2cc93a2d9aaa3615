#!/usr/bin/env python3
"""Prints the tables of one run of Tests/Benchmarks/run: medians, ratios to the plain xcb program, budgets.

usage: report.py [--strict] results.jsonl
If the run has measured other toolkits, a second table has Proscenium beside them. Fails if a round of one of our
programs is without a result or a count is over its limit; with --strict also if a time or a size is. Toolkits fail
nothing.
"""
import json
import statistics
import sys

BASE = "xcb"
BUILDS = ("dynamic", "static", "static-executable")
# Measured in a full run alone.
OPTIONAL = ("dynamic", "static-executable")
# The builds in the table with other toolkits.
BESIDE = ("static", "static-executable")
# The names of their programs, without the version that follows ("gtk-4.8.3").
TOOLKITS = {"gtk": "GTK", "qt": "Qt", "sdl": "SDL", "glfw": "GLFW", "fltk": "FLTK"}


class Results:
    """The measurements of one run."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            self.rows = [json.loads(line) for line in lines]
        peers = {row["peer"] for row in self.rows}
        self.builds = [build for build in BUILDS if build not in OPTIONAL or build in peers]
        self.toolkits = [peer for name in TOOLKITS for peer in sorted(peers) if peer.startswith(name + "-")]

    def losses(self, of_toolkits):
        """Rounds in which a program did not do what was asked of it, or not in time: ours, or those of toolkits."""
        names = [
            f'{r["peer"]} {r["test"]}:{r["n"]} ({r["wm"]})'
            for r in self.rows
            if not r["ok"] and (r["peer"] in self.toolkits) == of_toolkits
        ]
        return [f"{name}, {names.count(name)} times" for name in sorted(set(names))]

    def median(self, peer, key, test, n=None, wm="none"):
        """The median of a measured value; None if nothing was measured."""
        values = [
            r[key]
            for r in self.rows
            if r["ok"] and r["peer"] == peer and r["test"] == test and r["wm"] == wm and n in (None, r["n"])
            and r[key] >= 0
        ]
        return statistics.median(values) if values else None

    def slope(self, peer, key, test, low, high):
        """What one further window adds between two numbers of windows."""
        first, last = self.median(peer, key, test, low), self.median(peer, key, test, high)
        return None if first is None or last is None else (last - first) / (high - low)


    def plain(self, key, test, n=None, wm="none"):
        """The median as a function of the program."""
        return lambda peer: self.median(peer, key, test, n, wm)

    def further(self, key, test, low, high):
        """The slope as a function of the program."""
        return lambda peer: self.slope(peer, key, test, low, high)


class Row:
    """One line of a table. Budgets are (goal, limit), for all builds or by build."""

    def __init__(self, title, value, unit="", digits=1, budget=None, is_ratio=False, is_count=False):
        self.title, self.value, self.unit, self.digits = title, value, unit, digits
        self.budget, self.is_ratio, self.is_count = budget, is_ratio, is_count

    def limits(self, build):
        return self.budget.get(build) if isinstance(self.budget, dict) else self.budget

    def judged(self, build, base):
        """The number that the budget is about."""
        value = self.value(build)
        if value is None or not self.is_ratio:
            return value
        return value / base if base else None


def rows(results):
    plain, slope = results.plain, results.further

    def suspended(key, test):
        return lambda peer: results.median(f"{peer}-suspended", key, test, wm="openbox")

    def growth(key, *sizes):
        """How much dearer a further window is between the last two numbers than between those before."""

        def value(peer):
            early, late = (results.slope(peer, key, "launch", *pair) for pair in zip(sizes[:-1], sizes[1:]))
            return None if not early or late is None else late / early

        return value

    def ratio(title, value, unit, budget=None, digits=1):
        return Row(title, value, unit, digits, budget, is_ratio=True)

    def count(title, value, budget, digits=0):
        return Row(title, value, "", digits, budget, is_count=True)

    launch = {"dynamic": (4, 4.5), "static": (2.5, 3), "static-executable": (1.2, 1.5)}
    memory = {"dynamic": (5, 6), "static-executable": (1.5, 2)}
    return [
        ratio("launch to first paint, 1 scene", plain("painted", "launch", 1), "ms", launch),
        ratio("CPU of that launch", plain("cpu_ms", "launch", 1), "ms"),
        ratio("10 scenes painted", plain("settled", "launch", 10), "ms"),
        ratio("100 scenes painted", plain("settled", "launch", 100), "ms", (1.5, 2)),
        ratio("1000 scenes painted", plain("settled", "launch", 1000), "ms", (1.3, 1.6)),
        ratio("100 scenes under openbox, positions known", plain("settled", "launch", 100, "openbox"), "ms", (0.7, 1)),
        ratio("cost per scene, 100 to 1000 against 10 to 100", growth("settled", 10, 100, 1000), "", (1, 1.5), 2),
        # In a full run alone.
        Row("CPU per scene, 1000 to 10,000 against 100 to 1000", growth("cpu_ms", 100, 1000, 10_000), "", 2),
        count("serial round trips to first paint, 1 scene", plain("trips_to_paint", "trips", 1), (2, 3), 1),
        count("the same, 10 scenes", plain("trips_to_paint", "trips", 10), (2, 3), 1),
        count("X requests, first scene", plain("requests", "trips", 1), (40, 60)),
        count("X requests, each further scene", slope("requests", "trips", 1, 10), (8, 12), 1),
        ratio("focus moved to sceneDidBecomeActive, median", plain("p50_us", "focus"), "us", (1.1, 1.25), 0),
        ratio("CPU of that", plain("cpu_us", "focus"), "us", (1.5, 2), 0),
        ratio("iconified to sceneDidEnterBackground, median", plain("hide_p50_us", "iconify", wm="openbox"), "us", (1.1, 1.3), 0),
        ratio("restored to sceneWillEnterForeground, median", plain("show_p50_us", "iconify", wm="openbox"), "us", (1.1, 1.3), 0),
        # A frame is 16.7 ms.
        Row("restored and woken from suspension, the same", suspended("show_p50_us", "iconify"), "us", 0, (8000, 16700)),
        ratio("1000 stored sessions opened and loaded", plain("load_us", "store", 1000), "us", (1.5, 2), 0),
        ratio("private dirty memory, 1 scene", plain("private_dirty", "memory", 1), "kB", memory, 0),
        Row("PSS, 1 scene", plain("pss", "memory", 1), "kB", 0, {"static": (1900, 4000)}),
        Row("memory per further scene", slope("private_dirty", "memory", 1, 100), "kB", 1, (4, 6)),
        count("server resources per further scene", slope("resources", "memory", 1, 100), (1, 2), 2),
        count("server pixmap bytes, 100 scenes", plain("pixmap_bytes", "memory", 100), (0, 0)),
        ratio("100 scenes closed", plain("close_ms", "memory", 100), "ms", (1.3, 1.6)),
        # What the connection itself holds (a group leader, what it listens to) stays; a scene may leave nothing.
        Row("server resources after that", plain("after_resources", "memory", 100), "", 0),
        count("of these for each scene closed", slope("after_resources", "memory", 1, 100), (0, 0), 2),
        Row("private dirty memory after that", plain("after_private_dirty", "memory", 100), "kB", 0),
        Row("CPU in 5 s at rest", plain("cpu_us", "idle", 1), "us", 0),
        count("wake-ups in 5 s at rest", plain("wakeups", "idle", 1), (0, 0)),
        # The second is the watchdog's, which waits without an end.
        count("threads", plain("threads", "idle", 1), (2, 2)),
    ]


def rows_beside(results):
    """What is measured of other toolkits too; without budgets."""
    plain, slope = results.plain, results.further

    def ratio(title, value, unit="", digits=1):
        return Row(title, value, unit, digits, is_ratio=True)

    return [
        ratio("launch to first paint, 1 window", plain("painted", "launch", 1), "ms"),
        ratio("CPU of that launch", plain("cpu_ms", "launch", 1), "ms"),
        ratio("100 windows painted", plain("settled", "launch", 100), "ms"),
        ratio("1000 windows painted", plain("settled", "launch", 1000), "ms"),
        ratio("focus moved until the program knows, median", plain("p50_us", "focus"), "us", 0),
        ratio("CPU of that", plain("cpu_us", "focus"), "us", 0),
        ratio("iconified until the program knows, median", plain("hide_p50_us", "iconify", wm="openbox"), "us", 0),
        ratio("restored until the program knows, median", plain("show_p50_us", "iconify", wm="openbox"), "us", 0),
        ratio("private dirty memory, 1 window", plain("private_dirty", "memory", 1), "kB", 0),
        ratio("PSS, 1 window", plain("pss", "memory", 1), "kB", 0),
        # Of plain xcb next to nothing, and nothing: no ratio means anything.
        Row("memory per further window", slope("private_dirty", "memory", 1, 100), "kB"),
        ratio("X requests, first window", plain("requests", "trips", 1), digits=0),
        ratio("serial round trips to first paint, 1 window", plain("trips_to_paint", "trips", 1)),
        Row("wake-ups in 5 s at rest", plain("wakeups", "idle", 1), digits=0),
    ]


def amount(row, value):
    return f"{value:.{row.digits}f}" + (f" {row.unit}" if row.unit else "")


def cell(row, build, base):
    value = row.value(build)
    if value is None:
        return "not measured"
    text = amount(row, value)
    judged = row.judged(build, base)
    if row.is_ratio and judged is not None:
        text += f" x{judged:.2f}"
    return text


def budget_text(row):
    sign = "x" if row.is_ratio else ""
    budgets = [row.budget] if isinstance(row.budget, tuple) else [row.budget[b] for b in BUILDS if b in row.budget] if row.budget else []
    return ["; ".join(f"{sign}{budget[i]:g}" for budget in budgets) for i in (0, 1)]


def print_table(heads, lines):
    widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(len(heads))]
    for line in [heads, ["-" * width for width in widths], *lines]:
        print("| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |")


def print_beside(results):
    """The table with other toolkits."""
    builds = [build for build in BESIDE if build in results.builds]
    names = [peer.partition("-") for peer in results.toolkits]
    lines = []
    for row in rows_beside(results):
        base = row.value(BASE)
        cells = [cell(row, peer, base) for peer in builds + results.toolkits]
        lines.append([row.title, "-" if base is None else amount(row, base), *cells])
    print("\nBeside other toolkits:\n")
    heads = [*(f"Proscenium, {build}" for build in builds), *(f"{TOOLKITS[name]} {version}" for name, _, version in names)]
    print_table(["what", "plain xcb in C", *heads], lines)


def main():
    arguments = sys.argv[1:]
    strict = "--strict" in arguments
    paths = [a for a in arguments if a != "--strict"]
    if len(paths) != 1:
        sys.exit(__doc__)
    results = Results(paths[0])
    table, over, failed = [], [], []
    for row in rows(results):
        base = row.value(BASE)
        cells = [row.title, "-" if base is None else amount(row, base)]
        for build in results.builds:
            text, limits, judged = cell(row, build, base), row.limits(build), row.judged(build, base)
            if judged is None and limits:
                failed.append(f"{row.title}: {build} was not measured")
            # Round trips are measured by time, and a launch may end a request sooner or later: that much is noise.
            elif limits and judged > limits[1] + (0.25 if row.is_count else 0):
                text += " OVER"
                over.append((row, build))
            cells.append(text)
        table.append(cells + budget_text(row))
    print_table(["what", "plain xcb in C", *results.builds, "goal", "limit"], table)
    print("\nRatios (x) are medians against the plain xcb program of the same run; budgets by build where there are several.")
    counts = [f"{row.title} ({build})" for row, build in over if row.is_count]
    others = len(over) - len(counts)
    if others:
        print(f"{others} times or sizes are over their limit.")
    if counts:
        print("Over the limit, counts: " + ", ".join(counts))
    failed += [f"rounds without a result: {loss}" for loss in results.losses(of_toolkits=False)]
    if failed:
        print("Failed: " + "; ".join(failed))
    if results.toolkits:
        print_beside(results)
    if losses := results.losses(of_toolkits=True):
        print("\nRounds of toolkits without a result, which fail nothing: " + "; ".join(losses))
    return 1 if failed or counts or (strict and others) else 0


if __name__ == "__main__":
    sys.exit(main())
