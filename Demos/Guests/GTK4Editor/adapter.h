/* Proscenium in a program of GTK 4: its loop and its windows. Another toolkit needs the same two functions;
 * adapter.c says why they are as they are. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <gtk/gtk.h>
#include <proscenium.h>

/* Makes a window that is not shown yet one of a scene; call it in scene_will_connect, then show the window. Returns
 * what psc_window_adopt() does: where it is negative psc_error_message() says what to do. */
int adapter_adopt(psc_scene scene, GtkWindow *window);

/* The window's X11 identifier; 0 while it has none, and on Wayland. */
uint32_t adapter_xid(GtkWindow *window);

/* Runs GTK's loop, and the application in it, until the application has ended. Returns the status to exit with. */
int adapter_run(void);

#endif
