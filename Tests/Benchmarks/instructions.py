#!/usr/bin/env python3
"""Counts instructions with callgrind, and prints them by origin; fails where a count is over its limit.

usage: instructions.py FOLDER-OF-C-PROGRAMS FOLDER-OF-SWIFT-PROGRAMS PRIVATE-FOLDER

The harness (xbench) drives the program. callgrind writes a part at each poll(2), so that a part is a turn of the
program's loop; what is counted is a sum of parts of the main thread.
"""
import collections
import pathlib
import re
import subprocess
import sys

# How many functions are listed for each row.
DEAREST = 10
# Before the first identity a random number of them is left out (XServer.setUp): this is no part of any count.
RANDOM = ("XServerC", "libxcb.so", "xcb_generate_id")


class Row:
    """A step that is counted, once each way.

    A launch ends with the turn in which the last window is mapped; of a further scene the first launch is taken off. A
    step that comes with the same turns each time (`turns` of C and of Swift) is the sum of so many successive turns that
    comes most often: what happens once in a while, such as a save, is not in it. Any other step is the difference of
    two runs, each the least of three: what a busy machine makes happen in between only adds to it.
    """

    def __init__(self, title, test, peers, limit, counts=(1,), turns=None, manager=False):
        self.title, self.test, self.peers, self.limit = title, test, peers, limit
        self.counts, self.turns, self.manager = counts, turns, manager

    def arguments(self, number):
        return ["--test", f"{self.test}:{number}"] + (["--wm", "openbox"] if self.manager else [])


# Limits are for Proscenium without the loader: 2 to 3.5 % above what was measured, of which machines differ by 1 %. An
# icon and back differs most from time to time.
SCENES, KEYS = ("xcb", "ScenePeer"), ("pixels-xcb", "PixelPeer")
ROWS = [
    Row("to the first paint", "launch", SCENES, 2_180_000),
    Row("a further scene", "launch", SCENES, 116_000, counts=(1, 21)),
    Row("a change of the focus", "focus", SCENES, 59_200, counts=(40,), turns=(2, 3)),
    Row("an icon and back", "iconify", SCENES, 760_000, counts=(10, 40), manager=True),
    Row("a key to a frame, by hand", "typed", KEYS, 92_000, counts=(40,), turns=(2, 3)),
    Row("a key to a frame, with a view", "typed", ("pixels-xcb", "PixelViewPeer"), 120_000, counts=(40,), turns=(2, 3)),
]


def costs(path):
    """The cost of each function by (object, function), and that of calls by (caller, callee)."""
    own, calls, names, place, callee = collections.Counter(), collections.Counter(), {}, [None, None], [None, None]
    # A name stands once, behind its number.
    kinds = {"ob": (place, 0), "fn": (place, 1), "cob": (callee, 0), "cfn": (callee, 1)}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            key, _, value = line.rstrip("\n").partition("=")
            if key in kinds:
                number, _, name = value.partition(" ")
                target, index = kinds[key]
                if name:
                    names[index, number] = name
                target[index] = names[index, number]
            elif line[:1].isdigit() or line[:1] in "+-*":
                cost = int(line.split()[1])
                if callee[1]:
                    calls[place[1], callee[1]] += cost
                    callee[:] = [None, None]
                else:
                    own[tuple(place)] += cost
    return own, calls


def total(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("summary:"))


def run(folder, harness, program, row, number):
    """Runs a program; the files of its turns, in order."""
    for old in folder.iterdir():
        old.unlink()
    tool = f"valgrind --quiet --tool=callgrind --separate-threads=yes --dump-before=poll --callgrind-out-file={folder}/%p"
    plan = folder / "plan"
    plan.write_text(f"it | | {tool} {program}\n", encoding="utf-8")
    command = [harness, "--plan", plan, "--seed", "1", *row.arguments(number)]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=900, check=True).stdout
    if '"ok":1' not in output:
        sys.exit(f"{program} does not do what \"{row.title}\" asks of it: {output}")
    # The harness starts each program once before it measures.
    files = [path for path in folder.iterdir() if re.fullmatch(r"\d+\.\d+-01", path.name)]
    process = max(files, key=lambda path: path.stat().st_mtime).name.split(".")[0] + "."
    files = [path for path in files if path.name.startswith(process)]
    return sorted(files, key=lambda path: int(re.split(r"[.-]", path.name)[1]))


def launched(files):
    """The turns up to the one in which the last window is mapped."""
    last = max(index for index, path in enumerate(files) if "xcb_map_window" in path.read_text(errors="replace"))
    return files[: last + 1]


def typical(files, count):
    """So many successive turns, the sum of which comes most often: on a busy machine some steps take more turns."""
    sums = sorted((sum(map(total, files[index : index + count])), index) for index in range(len(files) - count + 1))

    def alike(step):
        return sum(abs(cost - step[0]) < step[0] / 50 for cost, _ in sums)

    step = max(sums, key=alike)
    if alike(step) < len(sums) / 4:
        sys.exit(f"{count} successive turns are no step: {[cost for cost, _ in sums]}")
    return files[step[1] : step[1] + count]


def origin(place):
    """What a function belongs to: the loader, libraries of C, Swift and its libraries, or a target of the package."""
    file, function = place
    if "ld-linux" in file:
        return "loader"
    # The length of the module's name, and the name.
    found = re.match(r"\$[sS](\d+)", function)
    module = function[found.end() : found.end() + int(found[1])] if found else ""
    if module.startswith(("Proscenium", "Scene", "Pixel")):
        return module
    return "C" if ".so" in file or file.endswith(("xcb", "pixels-xcb")) else "Swift"


def cost(files):
    """What the files say of functions, without what is left to chance."""
    own, skipped = collections.Counter(), 0
    for path in files:
        part, calls = costs(path)
        own.update(part)
        skipped += sum(sum for (caller, callee), sum in calls.items() if RANDOM[0] in caller and callee == RANDOM[2])
    own[RANDOM[1:]] -= skipped
    return own


def count(folder, harness, program, row, turns):
    """The cost of one step by function."""
    runs = []
    for number in row.counts:
        tries = []
        for _ in range(3 if len(row.counts) > 1 else 1):
            files = run(folder, harness, program, row, number)
            tries.append(cost(typical(files, turns) if turns else launched(files) if row.test == "launch" else files))
        runs.append(min(tries, key=lambda own: sum(own.values())))
    if len(runs) == 1:
        return runs[0]
    runs[1].subtract(runs[0])
    return collections.Counter({place: sum / (row.counts[1] - row.counts[0]) for place, sum in runs[1].items()})


def by_origin(own):
    sums = collections.Counter()
    for place, cost in own.items():
        sums[origin(place)] += cost
    return sums


def plain(names):
    """Names as people write them."""
    command = ["swift", "demangle", "-simplified"]
    return subprocess.run(command, input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")


def main():
    programs, swift, private = (pathlib.Path(argument) for argument in sys.argv[1:])
    folder = private / "callgrind"
    folder.mkdir()
    over = []
    for row in ROWS:
        base, own = (
            count(folder, programs / "xbench", path / name, row, turns)
            for path, name, turns in zip((programs, swift), row.peers, row.turns or (None, None))
        )
        base, sums = by_origin(base), by_origin(own)
        ours = sum(sums.values()) - sums["loader"]
        print(f"{row.title}: {ours:,.0f} (in C {sum(base.values()) - base['loader']:,.0f}; limit {row.limit:,})")
        print("  " + ", ".join(f"{key} {cost:,.0f}" for key, cost in sums.most_common() if round(cost)))
        dearest = [(place[1], cost) for place, cost in own.most_common() if origin(place) != "loader"][:DEAREST]
        for name, (_, cost) in zip(plain([name for name, _ in dearest]), dearest):
            print(f"  {cost:12,.0f}  {name[:120]}")
        if ours > row.limit:
            over.append(row.title)
    if over:
        sys.exit("Over the limit: " + "; ".join(over))


if __name__ == "__main__":
    main()
