/* A window of GTK 4 that its frame clock runs for: see guest.h. */
#ifdef WITH_PROSCENIUM
#include "adapter.h"
#else
#include <gtk/gtk.h>
#endif
#include "guest.h"

static gboolean tick(GtkWidget *window, GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  /* There is something to draw in each frame. */
  gtk_widget_queue_draw(window);
  return G_SOURCE_CONTINUE;
}

static void painted(GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  frame();
}

static GtkWidget *make_window(void) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(window), 400, 300);
  gtk_window_set_child(GTK_WINDOW(window), gtk_label_new("A guest"));
  return window;
}

static void show(GtkWidget *window) {
  gtk_widget_add_tick_callback(window, tick, NULL, NULL);
  gtk_widget_realize(window);
  g_signal_connect(
    gdk_surface_get_frame_clock(gtk_native_get_surface(GTK_NATIVE(window))), "after-paint", G_CALLBACK(painted), NULL);
  gtk_window_present(GTK_WINDOW(window));
}

#ifdef WITH_PROSCENIUM
static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
  (void)data, (void)connection;
  GtkWidget *window = make_window();
  if (adapter_adopt(scene, GTK_WINDOW(window)) != PSC_OK)
    exit(1);
  show(window);
}

int main(int argc, char **argv) {
  if (argc > 1)
    frames_left = atoi(argv[1]);
  gtk_init();
  const psc_application application = {
    .size = sizeof application, .identifier = "org.example.Guest", .scene_will_connect = will_connect};
  if (psc_attach(&application, 1, argv) != PSC_OK) {
    fprintf(stderr, "%s\n", psc_error_message());
    return 1;
  }
  return adapter_run();
}
#else
int main(int argc, char **argv) {
  if (argc > 1)
    frames_left = atoi(argv[1]);
  gtk_init();
  show(make_window());
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
#endif
