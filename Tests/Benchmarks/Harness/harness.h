/* What the files of the harness share. See ../README.md for what is measured and how.
 *
 *   session.c   the private X server, window manager and proxy
 *   program.c   the program being measured: starting it, watching its windows, ending it
 *   process.c   what /proc and the X-Resource extension say of it
 *   measure.c   the measurements, one JSON object a line
 *   pixels.c    from key press to changed pixels
 *   plan.c      which programs to measure
 *   xproxy.c    a counting, delaying X11 proxy
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include <xcb/xcb.h>

/* ---- session.c ---- */

typedef struct {
  xcb_connection_t *connection;
  xcb_screen_t *screen;
  uint32_t id_mask;
  pid_t server_pid, manager_pid;
  int display, proxy_display, has_manager;
  uint8_t damage_event; /* the first event of the DAMAGE extension */
  struct {
    xcb_atom_t wm_protocols, wm_delete_window, wm_change_state, net_active_window, net_supporting_wm_check;
  } atom;
} session_t;

extern session_t session;

void session_start(int with_openbox);
void session_end(void);
/* Whether the client with this resource id base was there before the program (the harness, the manager). */
int session_knows(uint32_t id_base);
/* Whether the colour of the peers is somewhere in this rectangle of the screen: 5 x 5 samples. */
int session_shows_color(int x, int y, int width, int height);
/* The colour of a pixel of the screen: 0xRRGGBB, 0 outside. */
uint32_t session_pixel(int x, int y);
/* Reports every painting operation on the screen, without round trips; or no longer. */
void session_watch_painting(int on);
xcb_atom_t intern(const char *name);
double now_ms(void);
_Noreturn void die(const char *message);
pid_t spawn(char **argv, char **environment);

/* ---- plan.c ---- */

/* How to start a program, and by which properties it answers. */
typedef struct {
  char *name, *environment[32], *argv[32];
  const char *active, *hidden, *shown;
  int environment_count, argv_count, max_windows;
  int max_rounds; /* 0: takes part in all */
} peer_t;

/* Reads a plan into `peers`, at most `capacity`; returns how many. */
int plan_read(const char *path, peer_t *peers, int capacity);

/* ---- program.c ---- */

#define MAX_WINDOWS 16384

typedef struct {
  xcb_window_t id, frame; /* frame: the window manager's, 0 without one */
  int override, mapped, ever_mapped, destroyed;
} window_t;

typedef struct {
  pid_t pid;
  int pidfd, exited;
  int wanted; /* how many windows it was asked for */
  window_t windows[MAX_WINDOWS];
  int window_count, mapped_count, destroyed_count, closing;
  /* Milliseconds on the monotonic clock; 0 while it has not happened. */
  double started, first_created, first_mapped, last_mapped, first_painted, last_change, ended;
  /* The property that is waited for; the atom is 0 once it has changed. */
  xcb_window_t property_window;
  xcb_atom_t property;
  double property_changed;
} program_t;

extern program_t program;

/* Starts a program and waits until its windows are mapped and the first is painted; 0 if all are mapped. Whether
   painting was seen says `first_painted`: the only report may come a moment before the pixels, so that it is missed.
   `stay` asks the program to go on without windows. */
int program_launch(const peer_t *peer, int windows, int stay, int display);
/* Starts a program and waits for nothing. */
int program_begin(const peer_t *peer, int windows, int stay, int display);
/* Ends it, whatever it does, and waits until the server has noticed. */
void program_end(void);
/* Waits until `quiet` ms have passed without painting or mapping, at most `limit` ms. */
void program_settle(double quiet, double limit);
/* Handles events until the condition holds or the time has come; 1 if it holds. */
int program_pump(double until, int (*condition)(void));
/* The time between two steps: some ms, and with XBENCH_REST until the program has done what the step asks of it and
   waits again, however slow it is: then the number of its instructions depends on the steps alone. */
void program_pause(double ms);
int has_mapped(void), has_painted(void), has_answered(void), has_destroyed(void), has_exited(void);

/* ---- process.c ---- */

typedef struct {
  long rss, pss, private_dirty; /* kB */
} memory_t;
/* Of all threads: context switches, and those that the program wanted, each of which ends a wake-up. */
typedef struct {
  long switches, wanted, cpu_us, threads;
} schedule_t;
typedef struct {
  long clients, resources, pixmap_bytes;
} resources_t;

memory_t read_memory(pid_t pid);
schedule_t read_schedule(pid_t pid);
/* Whether all threads of a process wait. */
int is_waiting(pid_t pid);
/* Says on standard error how often each thread has waited so far, and in which system call it waits. */
void print_waits(pid_t pid, const char *when);
int count_libraries(pid_t pid);
resources_t read_resources(void); /* of all connections of the program */

/* ---- measure.c ---- */

/* One measurement by its name ("launch", "memory", "idle", "focus", "iconify", "trips", "typed", "repeated",
   "burst", "resized"); 0 if there is no such. */
int measure(const char *name, const peer_t *peer, int round, int count);
/* What all lines begin with. */
void print_head(const char *test, const peer_t *peer, int round, int count, int ok);
/* Sorts the values; -1 if there are none. */
double percentile(double *values, int count, double fraction);

/* ---- pixels.c ---- */

/* Presses keys, each so many ms and up to 17 more after the pixels have changed for the one before; 0 is at once. */
void press_keys(const peer_t *peer, const char *test, int round, int count, int pause);
/* Gives the window other sizes, each as soon as the program has drawn the one before. */
void resize_window(const peer_t *peer, int round, int count);
