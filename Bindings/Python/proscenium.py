"""Scenes, sessions and restoration for programs in Python: a module of one file over libproscenium.so.

    import sys

    import proscenium
    from gi.repository import GLib

    class Editor(proscenium.Application):
        identifier = "org.example.Editor"

        def scene_will_connect(self, scene, connection):
            window = make_window(connection.session.state)     # GTK, Qt, SDL: whatever makes X11 windows
            scene.adopt(xid_of(window), set_hidden=window.set_hidden, destroy=window.destroy)

    application = Editor()
    application.attach(sys.argv)
    GLib.io_add_watch(application.descriptor, GLib.IO_IN, lambda *_: application.turn())

attach() raises Ended, a SystemExit, where there is nothing to run, such as in a second start: the program exits with
the status. Everything is called on the main thread. A callback that raises is printed with its traceback, and what it
answers is the default; a scene whose scene_will_connect raises is disconnected, and the program ends with 1 where no
other one is connected, though sessions may be there as icons. A method whose name is nearly that of a callback is an
Error of attach. The library is found by the loader, or by the path in $PROSCENIUM_LIBRARY. The documentation of each
function is in proscenium.h.
"""
import ctypes
import difflib
import itertools
import json
import os
import signal
import sys
import threading
import traceback

__all__ = [
    "Application", "BackgroundTask", "Connection", "Ended", "Error", "Scene", "Session",
    "NOW", "CANCEL", "LATER", "UNATTACHED", "BACKGROUND", "INACTIVE", "ACTIVE", "LAUNCH", "RESTORE", "RECOVER",
]

NOW, CANCEL, LATER = 0, 1, 2
UNATTACHED, BACKGROUND, INACTIVE, ACTIVE = 0, 1, 2, 3
LAUNCH, RESTORE, RECOVER = 0, 1, 2

_ENDED, _ARGUMENT, _GONE, _NOTHING = 1, -2, -4, -7
_NEVER = 2**63 - 1

_int, _text, _pointer, _handle = ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_uint64
_texts = ctypes.POINTER(_text)


class Error(Exception):
    """A function that failed: its code, and a sentence that says what to do."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Ended(SystemExit):
    """Nothing is left to run: exit with `status`, as the interpreter does where the program does not catch this."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class _Connection(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), ("session", _handle), ("is_reconnect", _int), ("reason", _int),
        ("url_count", ctypes.c_size_t), ("urls", _texts), ("activity_type", _text), ("activity_json", _text),
    ]


def _callback(result, *arguments):
    return ctypes.CFUNCTYPE(result, _pointer, *arguments)


# The callbacks, in the order of the header.
_CALLBACKS = [
    ("did_finish_launching", _callback(None)),
    ("did_receive_second_launch", _callback(None, _int, _texts, _text)),
    ("did_receive_memory_warning", _callback(None)),
    ("did_discard_session", _callback(None, _handle)),
    ("should_terminate", _callback(_int)),
    ("should_terminate_after_last_scene_closed", _callback(_int)),
    ("will_terminate", _callback(None)),
    ("request_failed", _callback(None, _text)),
    ("scene_will_connect", _callback(None, _handle, ctypes.POINTER(_Connection))),
    ("scene_will_enter_foreground", _callback(None, _handle)),
    ("scene_did_become_active", _callback(None, _handle)),
    ("scene_will_resign_active", _callback(None, _handle)),
    ("scene_did_enter_background", _callback(None, _handle)),
    ("scene_did_disconnect", _callback(None, _handle)),
    ("scene_should_close", _callback(_int, _handle)),
    ("scene_save_state", _callback(None, _handle)),
    ("scene_open_urls", _callback(None, _handle, ctypes.c_size_t, _texts)),
    ("scene_continue_activity", _callback(None, _handle, _text, _text)),
]


class _Application(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("identifier", _text), ("manifest", _text), ("data", _pointer)] + _CALLBACKS


_SetHidden = _callback(None, ctypes.c_uint32, _int)
_Destroy = _callback(None, ctypes.c_uint32)
_Expired = _callback(None)


class _Owner(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", _pointer), ("set_hidden", _SetHidden), ("destroy", _Destroy)]


def _load():
    try:
        library = ctypes.CDLL(os.environ.get("PROSCENIUM_LIBRARY") or "libproscenium.so.0")
    except OSError as error:
        raise ImportError(f"{error}. Install it with Bindings/install, or name it in PROSCENIUM_LIBRARY.") from error
    size, xid, i64 = ctypes.c_size_t, ctypes.c_uint32, ctypes.c_int64
    for name, result, arguments in [
        ("psc_error_message", _text, []), ("psc_version", _text, []),
        ("psc_attach", _int, [ctypes.POINTER(_Application), _int, _texts]),
        ("psc_descriptor", _int, []), ("psc_time_to_next_turn", i64, []), ("psc_turn", _int, []),
        ("psc_exit_status", _int, []), ("psc_terminate", _int, [_int]), ("psc_reply_to_should_terminate", _int, [_int]),
        ("psc_scene_state", _int, [_handle]), ("psc_scene_session", _handle, [_handle]),
        ("psc_scene_set_title", _int, [_handle, _text]), ("psc_scene_invalidate_state", _int, [_handle]),
        ("psc_scene_reply_to_should_close", _int, [_handle, _int]),
        ("psc_session_list", i64, [ctypes.POINTER(_handle), size]), ("psc_session_scene", _handle, [_handle]),
        ("psc_session_identifier", i64, [_handle, _pointer, size]),
        ("psc_session_set_state", _int, [_handle, _text, size]), ("psc_session_state", i64, [_handle, _pointer, size]),
        ("psc_session_set_settings", _int, [_handle, _text]), ("psc_session_settings", i64, [_handle, _pointer, size]),
        ("psc_session_activate", _int, [_handle, _text, _text]), ("psc_session_destroy", _int, [_handle]),
        ("psc_session_disconnect", _int, [_handle]),
        ("psc_window_adopt", _int, [_handle, xid, ctypes.POINTER(_Owner)]), ("psc_window_perform_close", _int, [xid]),
        ("psc_window_is_hidden", _int, [xid]), ("psc_window_set_hidden", _int, [xid, _int]),
        ("psc_window_minimize", _int, [xid]),
        ("psc_task_begin", _handle, [_text, _Expired, _pointer]), ("psc_task_end", _int, [_handle]),
        ("psc_background_time_remaining", i64, []),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()
version = _library.psc_version().decode()


def _checked(result):
    """The result of a function; raises an Error where it is one."""
    if result < 0:
        raise Error(result, _library.psc_error_message().decode())
    return result


def _bytes(function, handle):
    """What a function writes into a buffer; None where nothing is stored."""
    capacity = 256
    while True:
        buffer = ctypes.create_string_buffer(capacity)
        length = function(handle, buffer, capacity)
        if length == _NOTHING:
            return None
        if _checked(length) < capacity:
            return buffer.raw[:length]
        capacity = length + 1


def _seconds(nanoseconds):
    return None if nanoseconds == _NEVER else nanoseconds / 1e9


def _optional(text):
    return None if text is None else text.encode()


class Session:
    """The durable identity of a scene."""

    def __init__(self, handle):
        self.handle = handle

    def __eq__(self, other):
        return isinstance(other, Session) and other.handle == self.handle

    def __hash__(self):
        return hash(self.handle)

    @property
    def identifier(self):
        return _bytes(_library.psc_session_identifier, self.handle).decode()

    @property
    def scene(self):
        """The scene; None while the session is disconnected."""
        handle = _library.psc_session_scene(self.handle)
        return _scenes.get(handle)

    @property
    def state(self):
        """The stored state as bytes; None where nothing is stored."""
        return _bytes(_library.psc_session_state, self.handle)

    @state.setter
    def state(self, value):
        _checked(_library.psc_session_set_state(self.handle, value, 0 if value is None else len(value)))

    @property
    def settings(self):
        """The stored settings as a dictionary; None where nothing is stored."""
        text = _bytes(_library.psc_session_settings, self.handle)
        return None if text is None else json.loads(text)

    @settings.setter
    def settings(self, value):
        _checked(_library.psc_session_set_settings(self.handle, None if value is None else json.dumps(value).encode()))

    def activate(self, activity_type=None, values=None):
        """Brings the session forward, with an activity to continue."""
        _activate(self.handle, activity_type, values)

    def destroy(self):
        _checked(_library.psc_session_destroy(self.handle))

    def disconnect(self):
        _checked(_library.psc_session_disconnect(self.handle))


def _activate(handle, activity_type, values):
    text = None if values is None else json.dumps(values).encode()
    _checked(_library.psc_session_activate(handle, _optional(activity_type), text))


class Connection:
    """What a scene is connected with."""

    def __init__(self, connection):
        self.session = Session(connection.session)
        self.is_reconnect = bool(connection.is_reconnect)
        self.reason = connection.reason
        self.urls = [connection.urls[index].decode() for index in range(connection.url_count)]
        self.activity_type = connection.activity_type and connection.activity_type.decode()
        self.activity_values = connection.activity_json and json.loads(connection.activity_json)


_scenes = {}
# The handles of those whose scene_will_connect has raised.
_failed = set()

# The functions of adopted windows, by their identifiers, and of background tasks. C calls the same three for all, which
# stay: one that belonged to a window would be freed while it runs, or before it is called.
_windows, _expirations, _numbers = {}, {}, itertools.count(1)


def _set_hidden(data, xid, is_hidden):
    if xid in _windows:
        _guarded(None, _windows[xid][0], bool(is_hidden))


def _destroy(data, xid):
    if xid in _windows:
        _guarded(None, _windows.pop(xid)[1])


def _expire(data):
    if expired := _expirations.get(data):
        _guarded(None, expired)


_owner = _Owner(ctypes.sizeof(_Owner), None, _SetHidden(_set_hidden), _Destroy(_destroy))
_expired = _Expired(_expire)


class Scene:
    """A connected scene; the same object in all its callbacks, so that it can have attributes of the program's."""

    def __init__(self, handle):
        self.handle = handle

    @property
    def state(self):
        return _checked(_library.psc_scene_state(self.handle))

    @property
    def session(self):
        handle = _library.psc_scene_session(self.handle)
        if handle == 0:
            raise Error(_GONE, _library.psc_error_message().decode())
        return Session(handle)

    def set_title(self, title):
        _checked(_library.psc_scene_set_title(self.handle, _optional(title)))

    def invalidate_state(self):
        """The state has changed: `scene_save_state` is called within a second."""
        _checked(_library.psc_scene_invalidate_state(self.handle))

    def reply_to_should_close(self, closes):
        _checked(_library.psc_scene_reply_to_should_close(self.handle, closes))

    def adopt(self, xid, set_hidden, destroy):
        """Makes a toolkit's window one of the scene: `set_hidden(is_hidden)` and `destroy()` are the toolkit's side."""
        _checked(_library.psc_window_adopt(self.handle, xid, ctypes.byref(_owner)))
        # Nobody tells of the windows that their toolkit has destroyed itself.
        for other in [other for other in _windows if _library.psc_window_is_hidden(other) == _GONE]:
            del _windows[other]
        _windows[xid] = (set_hidden, destroy)

    @staticmethod
    def perform_close(xid):
        """The user has pressed the close button of the window: to be called by the toolkit's handler."""
        _checked(_library.psc_window_perform_close(xid))

    @staticmethod
    def is_hidden(xid):
        """Whether the window is hidden; one that is minimised is not."""
        return bool(_checked(_library.psc_window_is_hidden(xid)))

    @staticmethod
    def set_hidden(xid, is_hidden):
        """Hides or shows the window: its `set_hidden` is called, after the present callback."""
        _checked(_library.psc_window_set_hidden(xid, is_hidden))

    @staticmethod
    def minimize(xid):
        """Asks the window manager to minimise the window; `Session.activate` brings it back."""
        _checked(_library.psc_window_minimize(xid))


class BackgroundTask:
    """A background task; a context manager. `expired()` is called shortly before its time is over.

    Where no time is left `handle` is 0, and the program may be suspended or end meanwhile."""

    def __init__(self, name, expired=None):
        self._number = next(_numbers)
        _expirations[self._number] = expired
        self.handle = _library.psc_task_begin(_optional(name), _expired, self._number)

    def end(self):
        _library.psc_task_end(self.handle)
        self.handle = 0
        _expirations.pop(self._number, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @staticmethod
    def time_remaining():
        """The seconds that tasks have left; None in the foreground."""
        return _seconds(_library.psc_background_time_remaining())


def _guarded(default, function, *arguments):
    """Calls a function of the program for C, which no exception may reach."""
    try:
        result = function(*arguments)
        return default if default is None or result is None else int(result)
    except BaseException:  # also SystemExit, which would be lost
        traceback.print_exc()
        return default


def _reply(function, *arguments):
    """The reply of a function that is asked whether something may happen: one of the constants, or True or False."""

    def reply():
        result = function(*arguments)
        return result if not isinstance(result, bool) else NOW if result else CANCEL

    return _guarded(NOW, reply)


def _has_default_interrupt():
    """Whether Python's own handler of SIGINT is there, and this thread may replace it."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _interrupt(number, frame):
    """Does what Python's own handler does, which asyncio and PyGObject would replace, and Proscenium's with it."""
    signal.default_int_handler(number, frame)


# The descriptions of applications, whose functions C calls for as long as the process, whoever keeps the object.
_kept = []


class Application:
    """The application: derive a class of it, set `identifier`, and override the callbacks of the header that are needed.

    `manifest` is a dictionary of further properties, or None. The callbacks get Scene, Session and Connection objects.
    """

    identifier = None
    manifest = None

    # These two are always called for: the scenes are kept in between.
    def scene_will_connect(self, scene, connection):
        pass

    def scene_did_disconnect(self, scene):
        pass

    # MARK: What the program calls

    def attach(self, arguments=sys.argv):
        """Launches the application in the program's loop; raises Ended where there is nothing to run."""
        description = _Application(ctypes.sizeof(_Application), _optional(self.identifier))
        description.manifest = None if self.manifest is None else json.dumps(self.manifest).encode()
        self._check_names()
        for name, kind in _CALLBACKS:
            if hasattr(self, name):
                setattr(description, name, kind(self._adapter(name)))
        _kept.append(description)
        texts = (_text * (len(arguments) + 1))(*[os.fsencode(text) for text in arguments], None)
        is_default = _has_default_interrupt()
        if is_default:
            signal.signal(signal.SIGINT, _interrupt)
        try:
            if _checked(_library.psc_attach(ctypes.byref(description), len(arguments), texts)) == _ENDED:
                raise Ended(_library.psc_exit_status())
        except BaseException:
            if is_default:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            raise

    @property
    def descriptor(self):
        """Readable while a turn is due: wait for it."""
        return _checked(_library.psc_descriptor())

    @property
    def time_to_next_turn(self):
        """The seconds until a turn is due though nothing comes; None for never."""
        return _seconds(_checked(_library.psc_time_to_next_turn()))

    def turn(self):
        """Delivers what has come; False once the application has ended, with `exit_status`."""
        return _checked(_library.psc_turn()) != _ENDED

    @property
    def exit_status(self):
        return _checked(_library.psc_exit_status())

    def terminate(self, status=0):
        _checked(_library.psc_terminate(status))

    def reply_to_should_terminate(self, terminates):
        _checked(_library.psc_reply_to_should_terminate(terminates))

    @property
    def sessions(self):
        """The open sessions, connected and disconnected ones."""
        count = _checked(_library.psc_session_list(None, 0))
        handles = (_handle * count)()
        return [Session(handle) for handle in handles[: _checked(_library.psc_session_list(handles, count))]]

    def new_scene(self, activity_type=None, values=None):
        """Requests a new scene, with an activity to continue."""
        _activate(0, activity_type, values)

    # MARK: Callbacks

    def _check_names(self):
        """Refuses methods that look like misspelt callbacks, which nobody would call."""
        callbacks = {name for name, _ in _CALLBACKS}
        for name in set(dir(type(self))) - callbacks - set(dir(Application)):
            if name.startswith(("scene_", "did_", "should_", "will_", "request_")) and callable(getattr(type(self), name)):
                if close := difflib.get_close_matches(name, callbacks, 1, 0.9):
                    raise Error(_ARGUMENT, f"no callback is named {name}: is it {close[0]}? Give a method another name.")

    def _adapter(self, name):
        """The function for C that calls a method."""
        method = getattr(self, name)

        def list_of(count, texts):
            return [os.fsdecode(texts[index]) for index in range(count)]

        def connect(data, handle, connection):
            _scenes[handle] = scene = Scene(handle)
            try:
                method(scene, Connection(connection.contents))
            except BaseException:  # also SystemExit, which would be lost
                traceback.print_exc()
                # It has no window, so that nobody could close it.
                _failed.add(handle)
                _guarded(None, scene.session.disconnect)

        def disconnect(data, handle):
            _guarded(None, method, _scenes.pop(handle, None))
            # Not before: of several that are restored others have connected since.
            if handle in _failed and not _scenes:
                _guarded(None, self.terminate, 1)
            _failed.discard(handle)

        def second(data, count, texts, directory):
            _guarded(None, method, list_of(count, texts), os.fsdecode(directory))

        special = {
            "scene_will_connect": connect,
            "scene_did_disconnect": disconnect,
            "did_receive_second_launch": second,
            "did_discard_session": lambda data, handle: _guarded(None, method, Session(handle)),
            "request_failed": lambda data, message: _guarded(None, method, message.decode()),
            "scene_open_urls": lambda data, handle, count, urls: _guarded(
                None, method, _scenes.get(handle), list_of(count, urls)),
            "scene_continue_activity": lambda data, handle, kind, text: _guarded(
                None, method, _scenes.get(handle), kind.decode(), json.loads(text)),
            "scene_should_close": lambda data, handle: _reply(method, _scenes.get(handle)),
            "should_terminate": lambda data: _reply(method),
            "should_terminate_after_last_scene_closed": lambda data: _guarded(1, method),
        }
        if name in special:
            return special[name]
        if name.startswith("scene_"):
            return lambda data, handle: _guarded(None, method, _scenes.get(handle))
        return lambda data: _guarded(None, method)
