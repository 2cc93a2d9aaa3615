"""Counts what SceneObserver does beside many windows of another program; Tests/Benchmarks/observer calls it.

observer.py OBSERVER CROWD WINDOWS: the programs ObserverPeer and Peers/crowd.c. Owns an Xvfb, at first without a window
manager, so that nothing happens but what is asked for. Prints a table; fails where a count or the memory is over its limit.
See README.md.
"""
import os
import subprocess
import sys
import tempfile
import time

from desk import LIMIT, Desk

REST = 5.0
REPEATS = 40
# What happens to a window, and how many events and answers that is for the observer: each may wake it once.
STEPS = [
    ("other", 1, "a property that says nothing"), ("hide", 1, "a window unmapped"),
    ("show", 2, "a window mapped and visible"), ("title", 2, "a title, and the answer that has it"),
]
MOST_MEMORY = 2048


class Lines:
    """A program that answers lines."""

    def __init__(self, desk, *command):
        self.process = desk.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def write(self, line):
        self.process.stdin.write(line + "\n")

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} has ended with {self.process.wait()}")
        return line.strip()

    def ask(self, line):
        self.write(line)
        return self.read()


class Observer(Lines):
    def counts(self):
        """The wake-ups, the windows in a state, and the steps."""
        return [int(word) for word in self.ask("").split()]

    def wait(self, what, condition, quiet=0.02):
        """The counts once they are so, and nothing more has come for a while."""
        end = time.monotonic() + LIMIT
        counts = self.counts()
        while True:
            time.sleep(quiet)
            before, counts = counts, self.counts()
            if counts == before and condition(counts):
                return counts
            if time.monotonic() > end:
                raise SystemExit(f"waited {LIMIT:.0f} s for {what}; wake-ups, windows, steps: {counts}")

    def memory(self):
        """What only this process has, in KB; of a program just built Private_Dirty also counts pages of its file."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Anonymous:"))

    def switches(self):
        """The voluntary context switches of all threads: none means no system call that waits either."""
        count = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/status") as file:
                count += sum(int(line.split()[1]) for line in file if line.startswith("voluntary"))
        return count


def start(desk, path):
    """An observer's program, which has no observer yet."""
    observer = Observer(desk, path)
    observer.counts()
    return observer


def observe(observer, windows):
    for window in windows:
        observer.write(window)
    observer.wait(f"the states of {len(windows)} windows", lambda counts: counts[1] == len(windows))


def measure(desk, observer_path, crowd_path, count):
    crowd = Lines(desk, crowd_path, str(count))
    windows = [crowd.read() for _ in range(count)]
    observer = start(desk, observer_path)
    without = observer.memory()
    observe(observer, windows)
    rows = [(f"memory for {count} windows, KB", observer.memory() - without, MOST_MEMORY)]

    # What the question has woken is at rest again.
    before = observer.counts()[0]
    time.sleep(0.5)
    switches = observer.switches()
    time.sleep(REST)
    rows.append((f"wake-ups in {REST:.0f} s of rest", observer.switches() - switches + observer.counts()[0] - before, 0))
    for what, events, name in STEPS:
        start_count = observer.counts()[0]
        for index in range(REPEATS):
            before = observer.counts()[0]
            if crowd.ask(f"{what} {index}") != "done":
                raise SystemExit("the other program does not obey")
            observer.wait(what, lambda counts, before=before: counts[0] > before)
        rows.append((f"wake-ups: {name}", (observer.counts()[0] - start_count) / REPEATS, events))
    before = observer.counts()[0]
    crowd.ask("all 0")
    wake_ups = observer.wait("the burst", lambda counts: counts[0] > before)[0] - before
    rows.append((f"wake-ups: {count} events in a burst", wake_ups, count))

    before = observer.counts()[0]
    desk.start_openbox()
    # All windows have frames.
    observer.wait("openbox", lambda counts: counts[0] > before, quiet=1)
    observer = start(desk, observer_path)
    without = observer.memory()
    observe(observer, windows)
    rows.append((f"memory for {count} windows in frames, KB", observer.memory() - without, MOST_MEMORY))
    return rows


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder, Desk(folder) as desk:
        rows = measure(desk, sys.argv[1], sys.argv[2], int(sys.argv[3]))
    is_over = False
    for name, value, limit in rows:
        is_over |= value > limit
        print(f"  {name:48} {value:8g}  at most {limit:g}{'  OVER' if value > limit else ''}")
    sys.exit(1 if is_over else 0)


main()
