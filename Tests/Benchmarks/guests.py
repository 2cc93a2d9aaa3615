"""Measures programs of GTK 4 and SDL 2 with Proscenium beside them and without; Tests/Benchmarks/guests calls it.

guests.py FOLDER ROUNDS [--strict]: the folder of the programs. Owns an Xvfb, an openbox and a session bus. In each round
every program runs once, in another order. Prints a table of medians; marks where a frame comes later by more than 3 %, or
the launch of GTK's program grows by 5 ms, which fails with --strict. See README.md.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from desk import LIMIT, Desk

TOOLKITS = {"gtk": "GTK 4", "sdl": "SDL 2"}
FRAMES = 120
# Frames of the launch, which are no measure of the clock.
FIRST = 10
MOST_RATIO = 1.03
MOST_LAUNCH = 5.0


def run(desk, program, number):
    """The milliseconds from the start to the first frame, and from one frame to the next."""
    home = f"{desk.folder}/{number}"
    os.mkdir(home)
    environment = dict(desk.environment, HOME=home, GSK_RENDERER="cairo", GDK_BACKEND="x11", GDK_DISABLE="gl,vulkan",
                       GDK_DEBUG="gl-disable", GTK_A11Y="none", SDL_VIDEODRIVER="x11", SDL_FRAMEBUFFER_ACCELERATION="0")
    begin = time.monotonic_ns()
    result = subprocess.run([program, str(FRAMES)], env=environment, stdout=subprocess.PIPE, timeout=LIMIT, check=True)
    times = [int(line) for line in result.stdout.split()]
    intervals = [(later - earlier) / 1e6 for earlier, later in zip(times[FIRST:], times[FIRST + 1:])]
    return (times[0] - begin) / 1e6, statistics.median(intervals), statistics.quantiles(intervals, n=20)[-1]


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    programs = [(toolkit, way) for toolkit in TOOLKITS for way in ("without", "with")]
    results = {program: [] for program in programs}
    with tempfile.TemporaryDirectory() as folder, Desk(folder) as desk:
        desk.start_bus()
        desk.start_openbox()
        number = 0
        for index in range(int(sys.argv[2]) + 1):
            for toolkit, way in random.sample(programs, len(programs)):
                number += 1
                found = run(desk, f"{sys.argv[1]}/guest-{toolkit}-{way}", number)
                # The first round finds nothing in the caches.
                if index > 0:
                    results[toolkit, way].append(found)
    is_over = False
    print(f"{'milliseconds, medians':32}{'without':>9}{'with':>9}{'more':>9}{'ratio':>8}")
    for toolkit, name in TOOLKITS.items():
        for column, what in enumerate(("launch to the first frame", "frame to frame", "the slowest twentieth")):
            without, beside = (statistics.median(found[column] for found in results[toolkit, way])
                               for way in ("without", "with"))
            over = column == 1 and beside > without * MOST_RATIO
            over |= column == 0 and toolkit == "gtk" and beside - without >= MOST_LAUNCH
            is_over |= over
            print(f"{name + ', ' + what:32}{without:9.2f}{beside:9.2f}{beside - without:9.2f}{beside / without:8.3f}"
                  f"{'  OVER' if over else ''}")
    sys.exit(1 if is_over and "--strict" in sys.argv else 0)


main()
