/* The measure in GTK 4: gtk_init and a loop of its own, without a GtkApplication, which registers itself on the session
   bus. The colour is the window's background, so that there is no widget in it. GTK places no windows. */
#define GDK_DISABLE_DEPRECATION_WARNINGS /* of releases after 4.8 */
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>
#include <stdlib.h>
#include "peer.h"
#include "xlib.h"

static int alive;

static void answer_on(GtkNative *window, enum answer which) {
  GdkSurface *surface = gtk_native_get_surface(window);
  if (surface)
    answer(
      gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface)), gdk_x11_surface_get_xid(surface), which);
}

static void activity_changed(GtkWindow *window) {
  if (gtk_window_is_active(window))
    answer_on(GTK_NATIVE(window), ACTIVE);
}

static void state_changed(GObject *surface, GParamSpec *property, gpointer window) {
  (void)property;
  gboolean is_minimized = (gdk_toplevel_get_state(GDK_TOPLEVEL(surface)) & GDK_TOPLEVEL_STATE_MINIMIZED) != 0;
  if (is_minimized == GPOINTER_TO_INT(g_object_get_data(surface, "minimized")))
    return;
  g_object_set_data(surface, "minimized", GINT_TO_POINTER(is_minimized));
  answer_on(window, is_minimized ? HIDDEN : SHOWN);
}

static gboolean closed(GtkWindow *window) {
  gtk_window_destroy(window);
  alive--;
  return TRUE;
}

static void paint_windows(void) {
  char style[64];
  snprintf(style, sizeof style, "window { background: #%06X; }", COLOR);
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, style, -1);
  gtk_style_context_add_provider_for_display(
    gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1, stays = getenv("XB_STAY") != NULL;
  alive = count;
  if (!gtk_init_check())
    return 1;
  paint_windows();
  for (int i = 0; i < count; i++) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), "peer");
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(activity_changed), NULL);
    g_signal_connect(window, "close-request", G_CALLBACK(closed), NULL);
    gtk_window_present(GTK_WINDOW(window));
    g_signal_connect(
      gtk_native_get_surface(GTK_NATIVE(window)), "notify::state", G_CALLBACK(state_changed), window);
  }
  while (alive || stays)
    g_main_context_iteration(NULL, TRUE);
  return 0;
}
