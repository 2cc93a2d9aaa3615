/* From key press to changed pixels: XTEST presses a key, and a pixel in the last row of the peers' square is read from
   the server's framebuffer file until it has another colour. From a new size of the window to pixels: the same of a
   pixel in the peers' mark, which stays in the window's corner. Looking costs the server nothing, and the harness only
   its own processor: it looks all the time, so that how often it looks is no part of the figure. */
#define _GNU_SOURCE
#include "harness.h"
#include "../Peers/pixels.h"
#include <stdio.h>
#include <stdlib.h>
#include <xcb/xtest.h>

enum { WARM_UP = 20, KEYCODE = 38, TIME_OUT = 2000 };

static uint32_t look(void) { return session_pixel(SQUARE_X + SQUARE_SIDE - 1, SQUARE_Y + SQUARE_SIDE - 1); }

static int has_square(void) { return look() == FIRST_COLOR || look() == SECOND_COLOR; }

/* When the square had another colour than before; 0 if it never had. */
static double changed(uint32_t before, double until) {
  for (;;) {
    uint32_t color = look();
    double now = now_ms();
    if (color != before && (color == FIRST_COLOR || color == SECOND_COLOR))
      return now;
    if (now > until)
      return 0;
  }
}

static void send_key(uint8_t type) {
  xcb_test_fake_input(session.connection, type, KEYCODE, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
  xcb_flush(session.connection);
}

static xcb_window_t mapped_window(void) {
  for (int i = 0; i < program.window_count; i++)
    if (program.windows[i].mapped && !program.windows[i].override)
      return program.windows[i].id;
  return XCB_NONE;
}

/* Starts the program and waits until it shows its square; its window, or none. */
static xcb_window_t launch(const peer_t *peer) {
  session_watch_painting(1);
  int failed = program_launch(peer, 1, 1, session.display);
  program_settle(300, 5000);
  session_watch_painting(0);
  xcb_window_t window = mapped_window();
  if (failed || !window)
    return XCB_NONE;
  xcb_set_input_focus(session.connection, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  xcb_flush(session.connection);
  program_pump(now_ms() + 3000, has_square);
  program_pump(now_ms() + 300, has_exited);
  return has_square() ? window : XCB_NONE;
}

void press_keys(const peer_t *peer, const char *test, int round, int count, int pause) {
  double *times = calloc(count, sizeof *times);
  int taken = 0, missed = 0;
  int failed = !launch(peer) || !times;
  schedule_t program_before = {0}, server_before = {0};
  for (int i = 0; !failed && !program.exited && missed < 6 && i < count + WARM_UP; i++) {
    if (i == WARM_UP) {
      program_before = read_schedule(program.pid);
      server_before = read_schedule(session.server_pid);
    }
    uint32_t before = look();
    double pressed = now_ms();
    send_key(XCB_KEY_PRESS);
    double seen = changed(before, pressed + TIME_OUT);
    send_key(XCB_KEY_RELEASE);
    if (!seen)
      missed++;
    else if (i >= WARM_UP)
      times[taken++] = (seen - pressed) * 1000;
    /* Not in step with a clock of 60 frames a second. */
    if (pause)
      program_pause(pause + rand() % 1000 / 1000.0 * 17);
  }
  schedule_t program_after = read_schedule(program.pid), server_after = read_schedule(session.server_pid);
  print_head(test, peer, round, count, !failed && taken);
  printf(
    ",\"missed\":%d,\"p50_us\":%.1f,\"p95_us\":%.1f", missed, percentile(times, taken, .5),
    percentile(times, taken, .95));
  double keys = taken ? taken : -1;
  printf(
    ",\"cpu_us\":%.1f,\"switches\":%.2f,\"server_cpu_us\":%.1f}\n",
    (program_after.cpu_us - program_before.cpu_us) / keys, (program_after.switches - program_before.switches) / keys,
    (server_after.cpu_us - server_before.cpu_us) / keys);
  free(times);
  program_end();
}

/* Where the mark's middle is in a window of the size. */
static int has_mark(int width, int height) {
  return session_pixel(width - MARK_SIDE / 2, height - MARK_SIDE / 2) == FIRST_COLOR;
}

void resize_window(const peer_t *peer, int round, int count) {
  double *times = calloc(count, sizeof *times), began = 0, ended = 0;
  int taken = 0, missed = 0;
  xcb_window_t window = launch(peer);
  int failed = !window || !times;
  schedule_t before = {0};
  for (int i = 0; !failed && !program.exited && missed < 6 && i < count + WARM_UP; i++) {
    if (i == WARM_UP) {
      before = read_schedule(program.pid);
      began = now_ms();
    }
    /* So far apart that no mark of one size covers the middle of another's. */
    uint32_t size[] = {PIXELS_WIDTH - (i + 1) % 8 * 2 * MARK_SIDE, PIXELS_HEIGHT - (i + 1) % 8 * 2 * MARK_SIDE};
    double sent = now_ms();
    xcb_configure_window(session.connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
    xcb_flush(session.connection);
    while (!has_mark(size[0], size[1]) && now_ms() < sent + TIME_OUT) {
    }
    ended = now_ms();
    if (!has_mark(size[0], size[1]))
      missed++;
    else if (i >= WARM_UP)
      times[taken++] = (ended - sent) * 1000;
  }
  schedule_t after = read_schedule(program.pid);
  print_head("resized", peer, round, count, !failed && taken);
  printf(
    ",\"missed\":%d,\"p50_us\":%.1f,\"p95_us\":%.1f,\"per_second\":%.1f,\"cpu_us\":%.1f}\n", missed,
    percentile(times, taken, .5), percentile(times, taken, .95), taken ? taken * 1000 / (ended - began) : -1,
    taken ? (double)(after.cpu_us - before.cpu_us) / taken : -1);
  free(times);
  program_end();
}
