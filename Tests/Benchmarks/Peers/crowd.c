/* N windows beside each other, and what happens to them: reads lines "WHAT INDEX" and answers each with "done" once the
   server has carried it out. WHAT is other (a property that says nothing), title, hide, show, or all (every window's
   other property in one burst). Prints the windows' numbers first, a line each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

enum { SIZE = 20, STEP = 26, COLUMNS = 48 };

static void write_text(xcb_connection_t *c, xcb_window_t window, xcb_atom_t property, xcb_atom_t type, unsigned value) {
  char text[16];
  int length = snprintf(text, sizeof text, "%u", value);
  xcb_change_property(c, XCB_PROP_MODE_REPLACE, window, property, type, 8, length, text);
}

static xcb_atom_t atom(xcb_connection_t *c, const char *name) {
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, strlen(name), name), 0);
  xcb_atom_t found = reply ? reply->atom : XCB_ATOM_NONE;
  free(reply);
  return found;
}

/* Whatever was sent is done. */
static void finish(xcb_connection_t *c) { free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), 0)); }

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  xcb_connection_t *c = xcb_connect(0, 0);
  if (xcb_connection_has_error(c))
    return 1;
  xcb_atom_t other = atom(c, "_CROWD"), title = atom(c, "_NET_WM_NAME"), utf8 = atom(c, "UTF8_STRING");
  xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root, *windows = malloc(count * sizeof *windows);
  for (int i = 0; i < count; i++) {
    windows[i] = xcb_generate_id(c);
    xcb_create_window(
      c, XCB_COPY_FROM_PARENT, windows[i], root, i % COLUMNS * STEP, i / COLUMNS * STEP, SIZE, SIZE, 0,
      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, 0);
    write_text(c, windows[i], title, utf8, i);
    xcb_map_window(c, windows[i]);
  }
  finish(c);
  for (int i = 0; i < count; i++)
    printf("%u\n", windows[i]);
  fflush(stdout);

  char what[16];
  int index;
  for (unsigned number = 1; scanf("%15s %d", what, &index) == 2; number++) {
    xcb_window_t window = windows[(unsigned)index % count];
    if (!strcmp(what, "title"))
      write_text(c, window, title, utf8, number);
    else if (!strcmp(what, "hide"))
      xcb_unmap_window(c, window);
    else if (!strcmp(what, "show"))
      xcb_map_window(c, window);
    else if (!strcmp(what, "other"))
      write_text(c, window, other, XCB_ATOM_STRING, number);
    else
      for (int i = 0; i < count; i++)
        write_text(c, windows[i], other, XCB_ATOM_STRING, number);
    finish(c);
    puts("done");
    fflush(stdout);
  }
  xcb_disconnect(c);
  return 0;
}
