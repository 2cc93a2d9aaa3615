#!/usr/bin/env python3
"""Notes of GTK 3 in Python. Each window is a scene, whose session has the text and the cursor: both are back after any
end, kill -9 included.

    PYTHONPATH=PREFIX/share/proscenium PROSCENIUM_LIBRARY=PREFIX/lib/libproscenium.so.0 python3 notes.py

--scenes N opens N windows at the first launch. Ctrl-N new note, Ctrl-W close, Ctrl-Q quit. A window's title is the
first line of its text.
"""
import json
import sys

import proscenium
from adapter import Gtk, adopt, run, xid_of


class Note:
    """A window with a text."""

    def __init__(self, scene, application):
        self.scene = scene
        self.window = Gtk.Window(default_width=360, default_height=260)
        self.view = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR)
        self.buffer = self.view.get_buffer()
        scrolled = Gtk.ScrolledWindow()
        scrolled.add(self.view)
        self.window.add(scrolled)
        keys = Gtk.AccelGroup()
        for key, action in [
            ("<Control>n", application.new_scene),
            ("<Control>w", lambda: scene.perform_close(xid_of(self.window))),
            ("<Control>q", application.terminate),
        ]:
            keys.connect(*Gtk.accelerator_parse(key), 0, lambda *_, action=action: action() or True)
        self.window.add_accel_group(keys)

    @property
    def text(self):
        return self.buffer.get_text(*self.buffer.get_bounds(), True)

    @property
    def state(self):
        return json.dumps({"text": self.text, "cursor": self.buffer.props.cursor_position}).encode()

    def restore(self, state):
        if state is not None:
            values = json.loads(state)
            self.buffer.set_text(values["text"])
            self.buffer.place_cursor(self.buffer.get_iter_at_offset(values["cursor"]))
            self.view.scroll_to_mark(self.buffer.get_insert(), 0.1, False, 0, 0)
        self.show_title()
        # Only now: what is restored has not changed.
        self.buffer.connect("changed", self.changed)
        self.buffer.connect("notify::cursor-position", self.changed)

    def show_title(self):
        title = self.text.partition("\n")[0][:80] or "Note"
        self.window.set_title(title)
        self.scene.set_title(title)

    def changed(self, *_):
        """The text or the cursor has changed."""
        self.show_title()
        self.scene.invalidate_state()


class Notes(proscenium.Application):
    identifier = "org.proscenium.PythonNotes"

    def __init__(self, scenes):
        self.wanted_scenes = scenes
        # What is in a scene's window, by the scene.
        self.notes = {}

    def did_finish_launching(self):
        # The first scene comes by itself, and so do all that were open.
        if not self.sessions:
            for _ in range(1, self.wanted_scenes):
                self.new_scene()

    def scene_will_connect(self, scene, connection):
        note = Note(scene, self)
        try:
            adopt(scene, note.window)
        except proscenium.Error as error:
            print(f"PythonNotes: not adopted: {error}", file=sys.stderr)
            note.window.destroy()
            self.terminate(1)
            return
        self.notes[scene] = note
        note.restore(connection.session.state)
        note.window.show_all()

    def scene_save_state(self, scene):
        # None where no window was adopted.
        if scene in self.notes:
            scene.session.state = self.notes[scene].state

    def scene_did_disconnect(self, scene):
        self.notes.pop(scene, None)

    def request_failed(self, message):
        print(f"PythonNotes: {message}", file=sys.stderr)


def main(arguments):
    scenes = int(arguments[arguments.index("--scenes") + 1]) if "--scenes" in arguments[:-1] else 1
    application = Notes(scenes)
    try:
        application.attach(arguments)
    except proscenium.Ended as ended:
        return ended.status
    except proscenium.Error as error:
        print(f"PythonNotes: {error}", file=sys.stderr)
        return 1
    return run(application)


sys.exit(main(sys.argv))
