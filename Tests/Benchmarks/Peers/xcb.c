/* The measure: the same in C on plain xcb. Two round trips whatever N is: connection set-up and atoms.
   XB_POSITION=1 adds WM_NORMAL_HINTS with a position (ICCCM 4.1.2.3), so that a window manager need not look for one.
 */
#include "peer.h"
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

enum { PROTOCOLS, DELETE, ACTIVE, HIDDEN, SHOWN, ATOM_COUNT };
static const char *const names[ATOM_COUNT] = {
  "WM_PROTOCOLS", "WM_DELETE_WINDOW", "_BENCH_ACTIVE", "_BENCH_HIDDEN", "_BENCH_SHOWN"};

static void set(xcb_connection_t *c, xcb_window_t window, xcb_atom_t property, xcb_atom_t type, int count, void *data) {
  xcb_change_property(c, XCB_PROP_MODE_REPLACE, window, property, type, type == XCB_ATOM_STRING ? 8 : 32, count, data);
}

static xcb_window_t create(xcb_connection_t *c, xcb_window_t root, int i, int with_position) {
  uint32_t values[] = {COLOR, XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY};
  xcb_window_t window = xcb_generate_id(c);
  xcb_create_window(
    c, XCB_COPY_FROM_PARENT, window, root, PLACE_X(i), PLACE_Y(i), WIDTH, HEIGHT, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
    XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  set(c, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 4, "peer");
  set(c, window, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 10, "peer\0Peer");
  if (with_position) {
    uint32_t hints[18] = {1 | 4 | 8, PLACE_X(i), PLACE_Y(i), WIDTH, HEIGHT};
    set(c, window, XCB_ATOM_WM_NORMAL_HINTS, XCB_ATOM_WM_SIZE_HINTS, 18, hints);
  }
  return window;
}

/* Which property the event asks for, and on which window; -1 if none. */
static int reaction(xcb_generic_event_t *event, xcb_window_t *window) {
  switch (event->response_type & 0x7f) {
  case XCB_FOCUS_IN: {
    xcb_focus_in_event_t *focus = (void *)event;
    *window = focus->event;
    int is_ours = focus->detail != XCB_NOTIFY_DETAIL_POINTER && focus->detail != XCB_NOTIFY_DETAIL_INFERIOR;
    return is_ours && focus->mode != XCB_NOTIFY_MODE_GRAB && focus->mode != XCB_NOTIFY_MODE_UNGRAB ? ACTIVE : -1;
  }
  case XCB_UNMAP_NOTIFY:
    *window = ((xcb_unmap_notify_event_t *)event)->window;
    return HIDDEN;
  case XCB_MAP_NOTIFY:
    *window = ((xcb_map_notify_event_t *)event)->window;
    return SHOWN;
  }
  return -1;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1, alive = count, stays = getenv("XB_STAY") != 0;
  xcb_connection_t *c = xcb_connect(0, 0);
  if (xcb_connection_has_error(c))
    return 1;
  xcb_intern_atom_cookie_t cookies[ATOM_COUNT];
  xcb_atom_t atoms[ATOM_COUNT];
  for (int i = 0; i < ATOM_COUNT; i++)
    cookies[i] = xcb_intern_atom(c, 0, strlen(names[i]), names[i]);
  xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root, *windows = malloc(count * sizeof *windows);
  for (int i = 0; i < count; i++)
    windows[i] = create(c, root, i, getenv("XB_POSITION") != 0);
  for (int i = 0; i < ATOM_COUNT; i++) {
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(c, cookies[i], 0);
    atoms[i] = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
  }
  for (int i = 0; i < count; i++) {
    set(c, windows[i], atoms[PROTOCOLS], XCB_ATOM_ATOM, 1, &atoms[DELETE]);
    xcb_map_window(c, windows[i]);
  }
  xcb_flush(c);

  uint32_t counter = 0;
  for (xcb_generic_event_t *event; (alive || stays) && (event = xcb_wait_for_event(c)); free(event)) {
    xcb_window_t window = 0;
    int property = reaction(event, &window);
    if (property >= 0) {
      counter++;
      set(c, window, atoms[property], XCB_ATOM_CARDINAL, 1, &counter);
      xcb_flush(c);
    }
    xcb_client_message_event_t *message = (void *)event;
    if (
      (event->response_type & 0x7f) == XCB_CLIENT_MESSAGE && message->type == atoms[PROTOCOLS] &&
      message->data.data32[0] == atoms[DELETE]) {
      xcb_destroy_window(c, message->window);
      xcb_flush(c);
      alive--;
    }
  }
  xcb_disconnect(c);
  return 0;
}
