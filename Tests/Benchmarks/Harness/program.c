/* The program being measured: starting it, watching it through the X protocol alone, ending it.
 *
 *   mapped     MapNotify of its top-levels (SubstructureNotify on the root); with a window manager MapNotify of the
 *              frame they were reparented into: openbox maps the client before the frame, under a server grab
 *   painted    the peers' colour stands in the framebuffer; DAMAGE says when to look
 *   answered   PropertyNotify of the property that the program writes
 *
 * Times are taken when the harness reads the event; 0 is immediately before posix_spawn. */
#define _GNU_SOURCE
#include "harness.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xcb/damage.h>
#include <xcb/res.h>

extern char **environ;

program_t program;

/* ---- Windows by id ---- */

#define SLOTS (1 << 17)
static uint32_t slot_ids[SLOTS];
static int32_t slot_windows[SLOTS];

static uint32_t slot_of(uint32_t id) {
  uint32_t slot = (id * 2654435761u) >> 15;
  while (slot_ids[slot] && slot_ids[slot] != id)
    slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

static void remember(uint32_t id, int window) {
  uint32_t slot = slot_of(id);
  slot_ids[slot] = id;
  slot_windows[slot] = window;
}

static window_t *find(uint32_t id) {
  uint32_t slot = slot_of(id);
  return slot_ids[slot] ? &program.windows[slot_windows[slot]] : 0;
}

/* ---- Events ---- */

static void created(xcb_create_notify_event_t *event, double now) {
  if (event->parent != session.screen->root || session_knows(event->window & ~session.id_mask))
    return;
  if (!program.pid || program.window_count == MAX_WINDOWS)
    return;
  if (!program.first_created)
    program.first_created = now;
  program.windows[program.window_count] = (window_t){.id = event->window, .override = event->override_redirect};
  remember(event->window, program.window_count++);
  uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_change_window_attributes(session.connection, event->window, XCB_CW_EVENT_MASK, &mask);
  xcb_flush(session.connection);
}

static void reparented(xcb_reparent_notify_event_t *event) {
  window_t *window = find(event->window);
  if (!window || window->id != event->window || event->parent == session.screen->root)
    return;
  if (session_knows(event->parent & ~session.id_mask)) {
    window->frame = event->parent;
    remember(event->parent, window - program.windows);
  } else {
    window->override = 1; /* moved into another window of the program's own: not a top-level */
  }
}

static void mapped(xcb_map_notify_event_t *event, double now) {
  window_t *window = find(event->window);
  if (!window || window->override || window->mapped || (event->override_redirect && window->id == event->window))
    return;
  if (event->window != (session.has_manager ? window->frame : window->id))
    return;
  window->mapped = 1;
  if (window->ever_mapped)
    return;
  window->ever_mapped = 1;
  program.mapped_count++;
  program.last_change = program.last_mapped = now;
  if (!program.first_mapped)
    program.first_mapped = now;
}

static void destroyed(xcb_destroy_notify_event_t *event, double now) {
  window_t *window = find(event->window);
  if (!window || window->id != event->window || window->destroyed)
    return;
  window->destroyed = 1;
  window->mapped = 0;
  if (!window->ever_mapped)
    return;
  program.last_change = now;
  if (program.closing)
    program.destroyed_count++;
  else
    program.mapped_count--; /* some toolkits make a window again that they have just mapped */
}

static void handle(xcb_generic_event_t *event, double now) {
  uint8_t type = event->response_type & 0x7f;
  if (type == session.damage_event + XCB_DAMAGE_NOTIFY) {
    xcb_rectangle_t area = ((xcb_damage_notify_event_t *)event)->area;
    program.last_change = now;
    if (!program.first_painted && session_shows_color(area.x, area.y, area.width, area.height))
      program.first_painted = now;
    return;
  }
  switch (type) {
  case XCB_CREATE_NOTIFY:
    created((void *)event, now);
    break;
  case XCB_REPARENT_NOTIFY:
    reparented((void *)event);
    break;
  case XCB_MAP_NOTIFY:
    mapped((void *)event, now);
    break;
  case XCB_UNMAP_NOTIFY: {
    window_t *window = find(((xcb_unmap_notify_event_t *)event)->window);
    if (window)
      window->mapped = 0;
    break;
  }
  case XCB_DESTROY_NOTIFY:
    destroyed((void *)event, now);
    break;
  case XCB_PROPERTY_NOTIFY: {
    xcb_property_notify_event_t *change = (void *)event;
    if (change->atom == program.property && change->window == program.property_window) {
      program.property_changed = now;
      program.property = 0;
    }
    break;
  }
  }
}

int has_mapped(void) { return program.mapped_count >= program.wanted || program.exited; }
int has_painted(void) { return program.first_painted || program.exited; }
int has_answered(void) { return !program.property || program.exited; }
int has_destroyed(void) { return program.destroyed_count >= program.wanted || program.exited; }
int has_exited(void) { return program.exited; }

int program_pump(double until, int (*condition)(void)) {
  for (;;) {
    xcb_generic_event_t *event;
    int any = 0;
    while ((event = xcb_poll_for_event(session.connection))) {
      handle(event, now_ms());
      free(event);
      any = 1;
      if (condition && condition())
        return 1;
    }
    if (xcb_connection_has_error(session.connection))
      die("lost the X server");
    if (condition && condition())
      return 1;
    if (any)
      continue;
    double left = until - now_ms();
    if (left <= 0)
      return 0;
    struct pollfd files[2] = {
      {xcb_get_file_descriptor(session.connection), POLLIN, 0},
      {program.pid && !program.exited ? program.pidfd : -1, POLLIN, 0}};
    struct timespec time = {left / 1000, (long)(left * 1e6) % 1000000000};
    ppoll(files, 2, &time, 0);
    if (files[1].revents) {
      program.exited = 1;
      program.ended = now_ms();
    }
  }
}

void program_pause(double ms) {
  program_pump(now_ms() + ms, 0);
  if (!getenv("XBENCH_REST"))
    return;
  double end = now_ms() + 10000;
  /* The server has handled the step when it answers, and sent what comes of it. */
  free(xcb_get_input_focus_reply(session.connection, xcb_get_input_focus(session.connection), 0));
  for (int looks = 0; looks < 3 && !program.exited && now_ms() < end;) {
    program_pump(now_ms() + 5, 0);
    looks = is_waiting(program.pid) ? looks + 1 : 0;
  }
}

void program_settle(double quiet, double limit) {
  double end = now_ms() + limit;
  if (!program.last_change)
    program.last_change = now_ms();
  while (!program.exited && now_ms() < end && now_ms() - program.last_change <= quiet) {
    double due = program.last_change + quiet + .5;
    program_pump(due < end ? due : end, has_exited);
  }
}

/* ---- Starting and ending ---- */

/* A state directory of its own for each run, so that no run finds what another has saved. */
static char *state_variable(void) {
  static char variable[256];
  static int number;
  const char *root = getenv("XBENCH_STATE");
  if (!root)
    die("XBENCH_STATE names no directory");
  /* The harness is run several times with the same root. */
  snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s/%d-%d", root, (int)getpid(), ++number);
  mkdir(variable + strlen("XDG_STATE_HOME="), 0700);
  return variable;
}

static int is_replaced(const char *variable, const peer_t *peer) {
  size_t length = strcspn(variable, "=") + 1;
  if (!strncmp(variable, "DISPLAY=", length) || !strncmp(variable, "XDG_STATE_HOME=", length))
    return 1;
  for (int i = 0; i < peer->environment_count; i++)
    if (!strncmp(variable, peer->environment[i], length))
      return 1;
  return 0;
}

int program_begin(const peer_t *peer, int windows, int stay, int display) {
  char *environment[512], *argv[40], display_variable[32], number[16];
  int count = 0;
  memset(slot_ids, 0, sizeof slot_ids);
  memset(&program, 0, sizeof program);
  for (char **variable = environ; *variable && count < 450; variable++)
    if (!is_replaced(*variable, peer))
      environment[count++] = *variable;
  for (int i = 0; i < peer->environment_count; i++)
    environment[count++] = peer->environment[i];
  snprintf(display_variable, sizeof display_variable, "DISPLAY=:%d", display);
  environment[count++] = display_variable;
  environment[count++] = state_variable();
  if (stay)
    environment[count++] = "XB_STAY=1";
  environment[count] = 0;
  for (int i = 0; i < peer->argv_count; i++)
    argv[i] = peer->argv[i];
  snprintf(number, sizeof number, "%d", windows);
  argv[peer->argv_count] = number;
  argv[peer->argv_count + 1] = 0;

  program_pump(now_ms(), 0);
  program.pid = 1; /* windows that appear from now on are the program's */
  program.started = now_ms();
  program.wanted = windows;
  pid_t pid = spawn(argv, environment);
  if (pid < 0) {
    program.pid = 0;
    return -1;
  }
  program.pid = pid;
  program.pidfd = syscall(SYS_pidfd_open, pid, 0);
  return 0;
}

int program_launch(const peer_t *peer, int windows, int stay, int display) {
  if (program_begin(peer, windows, stay, display))
    return -1;
  program_pump(program.started + 120000 + windows * 60, has_mapped);
  if (!program.exited)
    program_pump(now_ms() + 30000, has_painted);
  return program.exited || program.mapped_count < windows ? -1 : 0;
}

/* Whether the server still knows a connection that is neither ours nor the window manager's. */
static int has_connection(void) { return read_resources().clients > 0; }

void program_end(void) {
  if (!program.pid)
    return;
  if (!program.exited) {
    kill(program.pid, SIGTERM);
    if (!program_pump(now_ms() + 5000, has_exited)) {
      kill(program.pid, SIGKILL);
      program_pump(now_ms() + 2000, has_exited);
    }
  }
  waitpid(program.pid, 0, 0);
  close(program.pidfd);
  program.pid = 0;
  for (double limit = now_ms() + 1000; has_connection() && now_ms() < limit;)
    usleep(10000);
  program_pump(now_ms() + 30, 0);
  program.exited = 0;
  program.last_change = now_ms();
  program_settle(session.has_manager ? 60 : 20, 3000);
}
