#!/usr/bin/env python3
"""Prints the table of one run of Tests/Benchmarks/pixels: medians over the rounds, ratios to xcb and Cairo, budgets.

usage: pixelreport.py [--strict] results.jsonl
Fails if a program did not run or a key showed no pixels; with --strict also if a time is over its limit.
"""
import sys

from report import Results

FLOOR, BASE, OURS, OTHERS = "xcb", "cairo", ("window", "view"), ("qt", "gtk")
NAMES = {
    "xcb": "xcb (floor)", "cairo": "xcb and Cairo", "window": "Proscenium, Window.draw", "view": "Proscenium, a View",
    "qt": "Qt 6", "gtk": "GTK 4",
}
# By hand and with a view: goals and limits as ratios to xcb and Cairo.
RATIOS = {"window": (1.2, 1.3), "view": (1.3, 1.4)}
# Sizes a second through a view: less than this is behind the screen.
SIZES = 60
# Title, test, value, unit, and of ours: ratios, and an absolute limit.
ROWS = [
    ("typed key to pixels, median", "typed", "p50_us", "us", RATIOS, None),
    ("95 of 100 within", "typed", "p95_us", "us", None, None),
    ("repeating key to pixels, median", "repeated", "p50_us", "us", RATIOS, None),
    ("95 of 100 within", "repeated", "p95_us", "us", None, None),
    ("key after key to pixels, median", "burst", "p50_us", "us", None, None),
    ("CPU per typed key", "typed", "cpu_us", "us", None, 1000),
    ("CPU per key, key after key", "burst", "cpu_us", "us", None, 1000),
    ("the server's CPU per typed key", "typed", "server_cpu_us", "us", None, None),
    ("context switches per typed key", "typed", "switches", "", None, None),
    ("a new size to pixels, median", "resized", "p50_us", "us", None, None),
    ("sizes a second, one after the other", "resized", "per_second", "", None, None),
    ("CPU per size", "resized", "cpu_us", "us", None, 4000),
]


def cell(value, base, unit):
    if value is None:
        return "not measured"
    text = f"{value:.1f} {unit}".strip() if value < 100 else f"{value:.0f} {unit}"
    return text + (f" x{value / base:.2f}" if base else "")


def main():
    arguments = sys.argv[1:]
    strict = "--strict" in arguments
    paths = [a for a in arguments if a != "--strict"]
    if len(paths) != 1:
        sys.exit(__doc__)
    results = Results(paths[0])
    measured = {row["peer"] for row in results.rows}
    peers = [p for p in NAMES if p in measured]
    table, over, missing = [], [], []
    for title, test, key, unit, ratios, most in ROWS:
        base = results.median(BASE, key, test)
        line = [title]
        for peer in peers:
            value = results.median(peer, key, test)
            text = cell(value, base if peer != BASE else None, unit)
            if peer in OURS and value is None:
                missing.append(f"{title}: {NAMES[peer]}")
            elif peer in OURS:
                others = [other for other in OTHERS if results.median(other, key, test) is not None]
                behind = [o for o in others if ratios and value > results.median(o, key, test)]
                is_over = ratios and base and value / base > ratios[peer][1]
                if is_over or (most and value > most) or (key == "per_second" and value < SIZES) or behind:
                    text += " OVER" + "".join(f" {NAMES[other]}" for other in behind)
                    over.append(title)
            line.append(text)
        goal, limit = ("; ".join(f"x{ratio[i]:g}" for ratio in ratios.values()) if ratios else "" for i in (0, 1))
        least = f"{SIZES} at least" if key == "per_second" else ""
        line += [goal, limit or least or (f"{most} us" if most else "")]
        table.append(line)
    heads = ["what", *(NAMES[p] for p in peers), "goal", "limit"]
    widths = [max(len(line[i]) for line in [heads, *table]) for i in range(len(heads))]
    for line in [heads, ["-" * width for width in widths], *table]:
        print("| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |")
    print("\nRatios (x) are medians against xcb and Cairo of the same run. The floor: the server draws the square itself.")
    if over:
        print(f"{len(over)} times are over their limit, or behind Qt or GTK.")
    lost = sorted({f'{r["peer"]} {r["test"]}: {r["missed"]}' for r in results.rows if r["missed"]})
    if lost:
        print("Keys that showed no pixels within two seconds: " + "; ".join(lost))
    losses = results.losses(of_toolkits=False) + results.losses(of_toolkits=True)
    if losses:
        print("Rounds without a result: " + "; ".join(losses))
    if missing:
        print("Failed: " + ", ".join(missing))
    ours_lost = any(r["missed"] for r in results.rows if r["peer"] in OURS)
    return 1 if missing or ours_lost or (strict and over) else 0


if __name__ == "__main__":
    sys.exit(main())
