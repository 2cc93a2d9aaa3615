#include "adapter.h"

#include <gdk/x11/gdkx.h>
#include <glib-unix.h>

/* ---- Windows ---- */

uint32_t adapter_xid(GtkWindow *window) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  return surface && GDK_IS_X11_SURFACE(surface) ? (uint32_t)gdk_x11_surface_get_xid(surface) : 0;
}

/* Found by its identifier, not kept: GTK may have destroyed a window without asking, and then there is none. */
static GtkWindow *window_of(uint32_t xid) {
  GdkSurface *surface = gdk_x11_surface_lookup_for_display(gdk_display_get_default(), xid);
  GtkNative *native = surface ? gtk_native_get_for_surface(surface) : NULL;
  return native && GTK_IS_WINDOW(native) ? GTK_WINDOW(native) : NULL;
}

/* The window stays realized while it is hidden, and so keeps its identifier. */
static void set_hidden(void *data, uint32_t xid, int is_hidden) {
  (void)data;
  GtkWindow *window = window_of(xid);
  if (window) gtk_widget_set_visible(GTK_WIDGET(window), !is_hidden);
}

static void destroy(void *data, uint32_t xid) {
  (void)data;
  GtkWindow *window = window_of(xid);
  if (window) gtk_window_destroy(window);
}

/* GTK alone hears of the close button. TRUE: it closes nothing by itself, because the scene decides. */
static gboolean close_request(GtkWindow *window, gpointer data) {
  (void)data;
  psc_window_perform_close(adapter_xid(window));
  return TRUE;
}

int adapter_adopt(psc_scene scene, GtkWindow *window) {
  static const psc_window_owner owner = {.size = sizeof owner, .set_hidden = set_hidden, .destroy = destroy};
  /* Only a realized window has an identifier; and it is adopted before it is shown, to come back where it was. */
  gtk_widget_realize(GTK_WIDGET(window));
  int status = psc_window_adopt(scene, adapter_xid(window), &owner);
  if (status == PSC_OK) g_signal_connect(window, "close-request", G_CALLBACK(close_request), NULL);
  return status;
}

/* ---- The loop ---- */

static gboolean turn(gint descriptor, GIOCondition condition, gpointer loop) {
  (void)descriptor, (void)condition;
  if (psc_turn() == PSC_OK) return G_SOURCE_CONTINUE;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static gboolean launched(gpointer source) {
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  return G_SOURCE_REMOVE;
}

int adapter_run(void) {
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  /* The descriptor is readable when a time is over, too: no timer is needed beside it. GtkApplication is not used,
   * because the application, its one instance and its end are Proscenium's. */
  GSource *source = g_unix_fd_source_new(psc_descriptor(), G_IO_IN);
  g_source_set_callback(source, G_SOURCE_FUNC(turn), loop, NULL);
  /* What the launch has left for the first turns, such as the bus, would make the first frame late: it is painted
   * first. No longer than that, because a program that paints without a pause would be told nothing. */
  g_source_set_priority(source, GDK_PRIORITY_REDRAW + 1);
  g_source_attach(source, NULL);
  g_timeout_add_full(G_PRIORITY_DEFAULT, 100, launched, source, (GDestroyNotify)g_source_unref);
  g_main_loop_run(loop);
  g_main_loop_unref(loop);
  return psc_exit_status();
}
