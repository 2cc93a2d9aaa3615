/* The measurements. Each starts the program, prints one JSON object, and ends the program. */
#define _GNU_SOURCE
#include "harness.h"
#include "xproxy.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_PAGER 2 /* EWMH: the source indication of pagers and other direct actions of the user */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

double percentile(double *values, int count, double fraction) {
  if (!count)
    return -1;
  qsort(values, count, sizeof *values, ascending);
  return values[(int)(fraction * (count - 1) + .5)];
}

static double since_start(double time) { return time ? time - program.started : -1; }

void print_head(const char *test, const peer_t *peer, int round, int count, int ok) {
  printf(
    "{\"test\":\"%s\",\"peer\":\"%s\",\"wm\":\"%s\",\"round\":%d,\"n\":%d,\"ok\":%d", test, peer->name,
    session.has_manager ? "openbox" : "none", round, count, ok);
}

static void send_message(xcb_window_t window, xcb_atom_t type, uint32_t first, uint32_t second, int to_root) {
  xcb_client_message_event_t message = {
    .response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window, .type = type};
  message.data.data32[0] = first;
  message.data.data32[1] = second;
  uint32_t mask = to_root ? XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY : 0;
  xcb_send_event(session.connection, 0, to_root ? session.screen->root : window, mask, (char *)&message);
}

static void give_focus(xcb_window_t window) {
  if (session.has_manager)
    send_message(window, session.atom.net_active_window, SOURCE_PAGER, 0, 1);
  else
    xcb_set_input_focus(session.connection, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  xcb_flush(session.connection);
}

/* WM_DELETE_WINDOW (ICCCM 4.2.8.1) to every window in one burst. */
static void close_all(void) {
  program.closing = 1;
  for (int i = 0; i < program.window_count; i++)
    if (program.windows[i].ever_mapped && !program.windows[i].destroyed)
      send_message(program.windows[i].id, session.atom.wm_protocols, session.atom.wm_delete_window, 0, 0);
  xcb_flush(session.connection);
}

/* The first windows that are mapped; how many were found. */
static int mapped_windows(xcb_window_t *windows, int wanted) {
  int count = 0;
  for (int i = 0; i < program.window_count && count < wanted; i++)
    if (program.windows[i].mapped)
      windows[count++] = program.windows[i].id;
  return count;
}

/* Expects the program to answer with a property on a window. */
static void expect(xcb_window_t window, xcb_atom_t property) {
  program.property_window = window;
  program.property = property;
}

/* Waits for the answer; microseconds since `asked`, or -1. */
static double answer_us(double asked) {
  if (!program_pump(asked + 2000, has_answered) || program.exited)
    return -1;
  return (program.property_changed - asked) * 1000;
}

/* From exec until all windows are mapped and the first is painted, and until the screen is quiet. */
static void launch(const peer_t *peer, int round, int count) {
  session_watch_painting(1);
  int failed = program_launch(peer, count, 0, session.display);
  program_settle(count > 200 ? 600 : 250, 20000);
  schedule_t schedule = read_schedule(program.pid);
  int libraries = count == 1 ? count_libraries(program.pid) : -1;
  double settled = program.last_change, closing = now_ms();
  close_all();
  program_pump(closing + 3000 + count * 20, has_exited);
  print_head("launch", peer, round, count, !failed);
  printf(
    ",\"mapped\":%.3f,\"painted\":%.3f,\"settled\":%.3f", since_start(program.last_mapped),
    since_start(program.first_painted), since_start(settled));
  printf(",\"cpu_ms\":%.2f,\"threads\":%ld,\"libraries\":%d", schedule.cpu_us / 1e3, schedule.threads, libraries);
  printf(",\"quit_ms\":%.3f}\n", program.ended ? program.ended - closing : -1);
  program_end();
}

/* Memory of the program and resources in the server at rest, then after all windows have been closed. */
static void memory(const peer_t *peer, int round, int count) {
  session_watch_painting(1);
  int failed = program_launch(peer, count, 1, session.display);
  program_settle(500, 20000);
  session_watch_painting(0);
  memory_t before = read_memory(program.pid);
  resources_t held = read_resources();
  double start = now_ms();
  close_all();
  int closed = program_pump(start + 10000, has_destroyed) && program.destroyed_count >= count;
  double taken = now_ms() - start;
  program_pump(now_ms() + 400, has_exited);
  memory_t after = read_memory(program.pid);
  resources_t left = read_resources();
  print_head("memory", peer, round, count, !failed && !program.exited);
  printf(",\"pss\":%ld,\"private_dirty\":%ld", before.pss, before.private_dirty);
  printf(",\"resources\":%ld,\"pixmap_bytes\":%ld", held.resources, held.pixmap_bytes);
  printf(",\"close_ms\":%.3f,\"after_private_dirty\":%ld", closed ? taken : -1, after.private_dirty);
  printf(",\"after_resources\":%ld,\"after_pixmap_bytes\":%ld}\n", left.resources, left.pixmap_bytes);
  program_end();
}

/* Wake-ups of all threads in 5 s: each ends when the thread waits again, which is a context switch that it wanted. On a
   busy machine a thread that runs is interrupted as well; that is no wake-up. Counted from 8 s after mapping, when
   threads that a library used for starting up have ended. */
static void idle(const peer_t *peer, int round, int count) {
  session_watch_painting(0);
  if (program_begin(peer, count, 1, session.display))
    return;
  program_pump(program.started + 120000, has_mapped);
  program_pump(now_ms() + 8000, has_exited);
  schedule_t before = read_schedule(program.pid);
  program_pump(now_ms() + 5000, has_exited);
  schedule_t after = read_schedule(program.pid);
  if (after.wanted != before.wanted)
    print_waits(program.pid, "a wake-up at rest");
  print_head("idle", peer, round, count, program.mapped_count >= count && !program.exited);
  printf(
    ",\"wakeups\":%ld,\"cpu_us\":%ld,\"threads\":%ld}\n", after.wanted - before.wanted,
    after.cpu_us - before.cpu_us, after.threads);
  program_end();
}

/* Moves the focus between two windows; from the request to the property that the program writes. */
static void focus(const peer_t *peer, int round, int count) {
  enum { WARM_UP = 20 };
  double *times = calloc(count, sizeof *times);
  xcb_window_t windows[2];
  int taken = 0, missed = 0;
  session_watch_painting(1);
  int failed = program_launch(peer, 2, 1, session.display);
  program_settle(300, 5000);
  session_watch_painting(0);
  failed |= !times || mapped_windows(windows, 2) < 2;
  xcb_atom_t property = intern(peer->active);
  schedule_t before = read_schedule(program.pid);
  for (int i = 0; !failed && missed < 6 && i < count + WARM_UP; i++) {
    expect(windows[i & 1], property);
    double asked = now_ms();
    give_focus(windows[i & 1]);
    double answer = answer_us(asked);
    if (answer < 0)
      missed++;
    else if (i >= WARM_UP)
      times[taken++] = answer;
    program_pause(1);
  }
  schedule_t after = read_schedule(program.pid);
  print_head("focus", peer, round, count, !failed && taken);
  printf(
    ",\"missed\":%d,\"p50_us\":%.1f,\"p99_us\":%.1f", missed, percentile(times, taken, .5),
    percentile(times, taken, .99));
  printf(",\"cpu_us\":%.1f}\n", taken ? (double)(after.cpu_us - before.cpu_us) / (taken + WARM_UP) : -1);
  free(times);
  program_end();
}

/* Iconifies a window and brings it back; from the request to the properties that the program writes. */
static void iconify(const peer_t *peer, int round, int count) {
  enum { WARM_UP = 5, ICONIC_STATE = 3 };
  if (!session.has_manager)
    return;
  double *hides = calloc(count, sizeof *hides), *shows = calloc(count, sizeof *shows);
  xcb_window_t window;
  int taken = 0, missed = 0;
  session_watch_painting(1);
  int failed = program_launch(peer, 1, 1, session.display);
  program_settle(300, 5000);
  session_watch_painting(0);
  failed |= !hides || !shows || mapped_windows(&window, 1) < 1;
  xcb_atom_t hidden = intern(peer->hidden), shown = intern(peer->shown);
  for (int i = 0; !failed && missed < 4 && i < count + WARM_UP; i++) {
    expect(window, hidden);
    double asked = now_ms();
    send_message(window, session.atom.wm_change_state, ICONIC_STATE, 0, 1);
    xcb_flush(session.connection);
    double hide = answer_us(asked);
    program_pause(15);
    expect(window, shown);
    asked = now_ms();
    give_focus(window);
    double show = answer_us(asked);
    program_pause(15);
    if (hide < 0 || show < 0) {
      missed++;
    } else if (i >= WARM_UP) {
      hides[taken] = hide;
      shows[taken++] = show;
    }
  }
  print_head("iconify", peer, round, count, !failed && taken);
  printf(
    ",\"missed\":%d,\"hide_p50_us\":%.1f,\"show_p50_us\":%.1f}\n", missed, percentile(hides, taken, .5),
    percentile(shows, taken, .5));
  free(hides);
  free(shows);
  program_end();
}

/* Requests, and serial round trips: the same launch through the proxy without and with 25 ms delay each way. What is
   pipelined counts once, whatever the library; half a round trip is the way of the last request itself. */
static void trips(const peer_t *peer, int round, int count) {
  double mapped[2], painted[2];
  int failed = 0;
  xproxy_stats stats;
  for (int slow = 0; slow < 2; slow++) {
    xproxy_set_delay_us(slow * 25000);
    xproxy_reset();
    session_watch_painting(1);
    failed |= program_launch(peer, count, 0, session.proxy_display);
    mapped[slow] = since_start(program.last_mapped);
    painted[slow] = since_start(program.first_painted);
    xproxy_freeze();
    if (!slow)
      xproxy_get(&stats);
    program_settle(200 + slow * 200, 8000);
    xproxy_set_delay_us(0);
    program_end();
  }
  print_head("trips", peer, round, count, !failed);
  printf(
    ",\"requests\":%" PRIu64 ",\"replies\":%" PRIu64 ",\"errors\":%" PRIu64, stats.requests, stats.replies,
    stats.errors);
  printf(",\"bytes\":%" PRIu64 ",\"connections\":%" PRIu64, stats.c2s_bytes, stats.conns);
  printf(
    ",\"trips_to_map\":%.2f,\"trips_to_paint\":%.2f}\n", (mapped[1] - mapped[0]) / 50 - .5,
    (painted[1] - painted[0]) / 50 - .5);
}

/* Keys as a person types them, as a held key repeats, and each as soon as the one before shows. */
static void typed(const peer_t *peer, int round, int count) { press_keys(peer, "typed", round, count, 50); }
static void repeated(const peer_t *peer, int round, int count) { press_keys(peer, "repeated", round, count, 20); }
static void burst(const peer_t *peer, int round, int count) { press_keys(peer, "burst", round, count, 0); }

int measure(const char *name, const peer_t *peer, int round, int count) {
  static const struct {
    const char *name;
    void (*run)(const peer_t *, int, int);
    int counts_windows;
  } measurements[] = {
    {"launch", launch, 1}, {"memory", memory, 1}, {"trips", trips, 1},
    {"idle", idle, 1},     {"focus", focus, 0},   {"iconify", iconify, 0},
    {"typed", typed, 0},   {"repeated", repeated, 0}, {"burst", burst, 0},
    {"resized", resize_window, 0},
  };
  for (size_t i = 0; i < sizeof measurements / sizeof *measurements; i++)
    if (!strcmp(measurements[i].name, name)) {
      if (!measurements[i].counts_windows || count <= peer->max_windows)
        measurements[i].run(peer, round, count);
      return 1;
    }
  return 0;
}
