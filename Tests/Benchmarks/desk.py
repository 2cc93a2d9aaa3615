"""The surroundings of a benchmark: a server, a window manager and a session bus of its own, for observer.py and guests.py."""
import os
import subprocess
import time

LIMIT = 60.0


class Desk:
    """Processes that end with it, and the environment of the programs on it."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        self.environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.environment.update(HOME=folder, XDG_RUNTIME_DIR=folder, LC_ALL="C.UTF-8",
                                DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nowhere")
        self.environment["DISPLAY"] = ":" + self._told(
            "Xvfb", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-displayfd")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def start(self, *command, **options):
        process = subprocess.Popen(command, env=self.environment, **options)
        self.processes.append(process)
        return process

    def _told(self, *command):
        """Starts a program whose last argument is a descriptor, and returns the line that it writes there."""
        reader, writer = os.pipe()
        last = command[-1]
        end = [f"{last}{writer}"] if last.endswith("=") else [last, str(writer)]
        self.start(*command[:-1], *end, pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as lines:
            return lines.readline().strip()

    def start_bus(self):
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._told(
            "dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.folder}/bus",
            "--print-address=")

    def start_openbox(self):
        """Returns once it manages windows."""
        managed = self.folder + "/managed"
        self.start("openbox", "--sm-disable", "--startup", "touch " + managed, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while not os.path.exists(managed):
            if time.monotonic() > end:
                raise SystemExit(f"openbox has not started within {LIMIT:.0f} s")
            time.sleep(0.01)
