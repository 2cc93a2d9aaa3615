"""What Tests/lint, Tests/mutants and Tests/rooms share: the repository's folder, and copies that builds may be tried in."""
import os
import pathlib
import shutil
import subprocess

# The array `once` of .ci/functions.sh.
ONCE = [word for flag in ("-gline-tables-only", "-wmo", "-num-threads", "2") for word in ("-Xswiftc", flag)]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Copy:
    """A copy of the repository in a folder under .build, with builds of its own that later runs go on from."""

    def __init__(self, name):
        self.place = ROOT / ".build" / name
        self.folder = self.place / "copy"

    def restore(self):
        """Makes it what the repository is, without touching files that are so already: they need not be built again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
        wanted = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
        for old in [path for path in self.folder.rglob("*") if path.is_file()]:
            if str(old.relative_to(self.folder)) not in wanted:
                old.unlink()
        for name in wanted:
            source, target = ROOT / name, self.folder / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)

    def swift(self, command, *arguments, scratch, limit, environment=None):
        """Runs `swift build` or `swift test`: its status, None where it took longer than the limit in seconds, and what
        it printed."""
        process = subprocess.Popen(
            ["swift", command, "--scratch-path", str(self.place / scratch), "--manifest-cache", "none", *ONCE, *arguments],
            cwd=self.folder, env=dict(os.environ, **(environment or {})), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            # The compilers and the tests are its children: all of the group that this made.
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            return None, output.decode(errors="replace")
