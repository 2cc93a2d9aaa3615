// libxcb-cursor: cursors of the user's theme (xcb_cursor.h).
#include "library.h"

struct xcb_connection_t;
struct xcb_cursor_context_t;

// The screen is an xcb_screen_t.
#define XCB_CURSOR(FUNCTION) \
  FUNCTION(int, xcb_cursor_context_new, \
           (struct xcb_connection_t *, void *screen, struct xcb_cursor_context_t **)) \
  FUNCTION(unsigned, xcb_cursor_load_cursor, (struct xcb_cursor_context_t *, const char *name)) \
  FUNCTION(void, xcb_cursor_context_free, (struct xcb_cursor_context_t *))

LIBRARY(xcb_cursor, XCB_CURSOR, "libxcb-cursor.so.0")
