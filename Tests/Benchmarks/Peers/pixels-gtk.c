/* The same in GTK 4: a drawing area as large as the square, so that the rest is not drawn again. See pixels.h. */
#include "pixels.h"
#include <gtk/gtk.h>

static GtkWidget *area;
static int presses;

static void draw(GtkDrawingArea *self, cairo_t *cairo, int width, int height, gpointer data) {
  (void)self, (void)data;
  unsigned color = presses % 2 ? SECOND_COLOR : FIRST_COLOR;
  cairo_set_source_rgb(cairo, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
  cairo_rectangle(cairo, 0, 0, width, height);
  cairo_fill(cairo);
}

static void draw_mark(GtkDrawingArea *self, cairo_t *cairo, int width, int height, gpointer data) {
  (void)self, (void)data;
  cairo_set_source_rgb(cairo, (FIRST_COLOR >> 16) / 255.0, (FIRST_COLOR >> 8 & 255) / 255.0, (FIRST_COLOR & 255) / 255.0);
  cairo_rectangle(cairo, 0, 0, width, height);
  cairo_fill(cairo);
}

static gboolean pressed(GtkEventControllerKey *self, guint key, guint code, GdkModifierType state, gpointer data) {
  (void)self, (void)key, (void)code, (void)state, (void)data;
  presses++;
  gtk_widget_queue_draw(area);
  return TRUE;
}

int main(void) {
  if (!gtk_init_check())
    return 1;
  char style[64];
  snprintf(style, sizeof style, "window { background: #%06X; }", BACKGROUND);
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, style, -1);
  gtk_style_context_add_provider_for_display(
    gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  GtkWidget *window = gtk_window_new(), *fixed = gtk_fixed_new();
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), PIXELS_WIDTH, PIXELS_HEIGHT);
  area = gtk_drawing_area_new();
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), SQUARE_SIDE);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), SQUARE_SIDE);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw, NULL, NULL);
  gtk_fixed_put(GTK_FIXED(fixed), area, SQUARE_X, SQUARE_Y);
  GtkWidget *mark = gtk_drawing_area_new(), *overlay = gtk_overlay_new();
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(mark), MARK_SIDE);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(mark), MARK_SIDE);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(mark), draw_mark, NULL, NULL);
  gtk_widget_set_halign(mark, GTK_ALIGN_END);
  gtk_widget_set_valign(mark, GTK_ALIGN_END);
  gtk_overlay_set_child(GTK_OVERLAY(overlay), fixed);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), mark);
  gtk_window_set_child(GTK_WINDOW(window), overlay);
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(pressed), NULL);
  gtk_widget_add_controller(window, keys);
  gtk_window_present(GTK_WINDOW(window));
  while (g_list_model_get_n_items(gtk_window_get_toplevels()) > 0)
    g_main_context_iteration(NULL, TRUE);
  return 0;
}
