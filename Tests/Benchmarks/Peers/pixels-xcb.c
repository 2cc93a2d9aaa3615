/* The floor: the server draws the square by itself, on one request that is sent as soon as the key is read. With
   -DWITH_CAIRO the measure: the same, drawn by Cairo on the window (cairo-xcb), the plain way. See pixels.h. */
#include "pixels.h"
#include <stdint.h>
#include <stdlib.h>
#include <xcb/xcb.h>
#ifdef WITH_CAIRO
#include <cairo-xcb.h>

static cairo_surface_t *surface;

static void start_drawing(xcb_connection_t *c, xcb_screen_t *screen, xcb_window_t window) {
  for (xcb_depth_iterator_t depth = xcb_screen_allowed_depths_iterator(screen); depth.rem; xcb_depth_next(&depth))
    for (xcb_visualtype_iterator_t i = xcb_depth_visuals_iterator(depth.data); i.rem; xcb_visualtype_next(&i))
      if (i.data->visual_id == screen->root_visual)
        surface = cairo_xcb_surface_create(c, window, i.data, PIXELS_WIDTH, PIXELS_HEIGHT);
}

static void set_size(int width, int height) { cairo_xcb_surface_set_size(surface, width, height); }

static void fill(xcb_connection_t *c, int x, int y, int width, int height, uint32_t color) {
  cairo_t *cairo = cairo_create(surface);
  cairo_set_source_rgb(cairo, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
  cairo_rectangle(cairo, x, y, width, height);
  cairo_fill(cairo);
  cairo_destroy(cairo);
  cairo_surface_flush(surface);
  xcb_flush(c);
}
#else
static xcb_window_t target;
static xcb_gcontext_t context;

static void start_drawing(xcb_connection_t *c, xcb_screen_t *screen, xcb_window_t window) {
  (void)screen;
  target = window;
  context = xcb_generate_id(c);
  xcb_create_gc(c, context, window, 0, 0);
}

static void set_size(int width, int height) { (void)width, (void)height; }

static void fill(xcb_connection_t *c, int x, int y, int width, int height, uint32_t color) {
  xcb_rectangle_t rectangle = {x, y, width, height};
  xcb_change_gc(c, context, XCB_GC_FOREGROUND, &color);
  xcb_poly_fill_rectangle(c, target, context, 1, &rectangle);
  xcb_flush(c);
}
#endif

int main(void) {
  xcb_connection_t *c = xcb_connect(0, 0);
  if (xcb_connection_has_error(c))
    return 1;
  xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
  xcb_window_t window = xcb_generate_id(c);
  uint32_t values[] = {BACKGROUND, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_EXPOSURE |
                                     XCB_EVENT_MASK_STRUCTURE_NOTIFY};
  xcb_create_window(
    c, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, PIXELS_WIDTH, PIXELS_HEIGHT, 0,
    XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  start_drawing(c, screen, window);
  xcb_map_window(c, window);
  xcb_flush(c);
  int presses = 0, width = PIXELS_WIDTH, height = PIXELS_HEIGHT;
  for (xcb_generic_event_t *event; (event = xcb_wait_for_event(c)); free(event)) {
    uint8_t type = event->response_type & 0x7f;
    if (type == XCB_CONFIGURE_NOTIFY) {
      xcb_configure_notify_event_t *configured = (xcb_configure_notify_event_t *)event;
      set_size(width = configured->width, height = configured->height);
    }
    if (type != XCB_KEY_PRESS && type != XCB_EXPOSE)
      continue;
    presses += type == XCB_KEY_PRESS;
    fill(c, SQUARE_X, SQUARE_Y, SQUARE_SIDE, SQUARE_SIDE, presses % 2 ? SECOND_COLOR : FIRST_COLOR);
    /* Another size has exposed the whole window: the server keeps nothing of it (its bit gravity). */
    if (type == XCB_EXPOSE)
      fill(c, width - MARK_SIDE, height - MARK_SIDE, MARK_SIDE, MARK_SIDE, FIRST_COLOR);
  }
  return 0;
}
