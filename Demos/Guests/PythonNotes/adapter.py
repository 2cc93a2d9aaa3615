"""Proscenium in a program of GTK 3 in Python: its loop and its windows. The comments say why; another toolkit needs the
same two functions.
"""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk  # noqa: E402

# Under Wayland through Xwayland, where the user has not chosen. Before Gtk, which connects when it is imported.
Gdk.set_allowed_backends("x11,*")
from gi.repository import GdkX11, GLib, Gtk  # noqa: E402


def xid_of(window):
    """The window's X11 identifier; 0 while it has none, and on Wayland."""
    surface = window.get_window()
    return surface.get_xid() if isinstance(surface, GdkX11.X11Window) else 0


def adopt(scene, window):
    """Makes a window that is not shown yet one of a scene; call it in scene_will_connect, then show the window.

    Raises proscenium.Error, which says what to do, where the window is none of X11.
    """
    # Only a realized window has an identifier; and it is adopted before it is shown, to come back where it was.
    window.realize()
    xid = xid_of(window)

    def set_hidden(is_hidden):
        window.set_visible(not is_hidden)

    scene.adopt(xid, set_hidden=set_hidden, destroy=window.destroy)

    def delete(window, event):
        # GTK alone hears of the close button. True: it closes nothing by itself, because the scene decides.
        scene.perform_close(xid)
        return True

    window.connect("delete-event", delete)


def run(application):
    """Runs GTK's loop, and an attached application in it, until it has ended. Returns the status to exit with."""

    def turn(descriptor, condition):
        if application.turn():
            return GLib.SOURCE_CONTINUE
        Gtk.main_quit()
        return GLib.SOURCE_REMOVE

    # The descriptor is readable when a time is over, too: no timer is needed beside it. Gtk.Application is not used,
    # because the application, its one instance and its end are Proscenium's.
    GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, application.descriptor, GLib.IOCondition.IN, turn)
    Gtk.main()
    return application.exit_status
