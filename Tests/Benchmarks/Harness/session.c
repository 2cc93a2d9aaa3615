/* The private X server, the window manager and the proxy of one run. Everything started here is ended by its pid. */
#define _GNU_SOURCE
#include "harness.h"
#include "xproxy.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xcb/damage.h>
#include <xcb/res.h>

#define COLOR 0x2E8B57u /* Peers/peer.h */

extern char **environ;

session_t session = {.display = -1, .proxy_display = -1};

static char framebuffer_directory[64];
static struct {
  const unsigned char *bytes;
  uint32_t offset, stride, width, height;
} framebuffer;
static xcb_damage_damage_t damage;
static uint32_t known[64]; /* resource id bases that are not the program's */
static int known_count;

double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

void die(const char *message) {
  fprintf(stderr, "xbench: %s\n", message);
  exit(1);
}

xcb_atom_t intern(const char *name) {
  xcb_connection_t *c = session.connection;
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, strlen(name), name), 0);
  if (!reply)
    die("the X server gives no atoms");
  xcb_atom_t atom = reply->atom;
  free(reply);
  return atom;
}

/* What the child says goes nowhere, or to the end of the file that XBENCH_STDERR names. */
pid_t spawn(char **argv, char **environment) {
  const char *errors = getenv("XBENCH_STDERR");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, errors ? errors : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0644);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, argv[0], &files, 0, argv, environment);
  posix_spawn_file_actions_destroy(&files);
  return error ? -1 : pid;
}

int session_knows(uint32_t id_base) {
  for (int i = 0; i < known_count; i++)
    if (known[i] == id_base)
      return 1;
  return 0;
}

static void remember_clients(void) {
  xcb_connection_t *c = session.connection;
  xcb_res_query_clients_reply_t *reply = xcb_res_query_clients_reply(c, xcb_res_query_clients(c), 0);
  if (!reply)
    die("the X server has no X-Resource extension");
  xcb_res_client_t *clients = xcb_res_query_clients_clients(reply);
  for (int i = 0; i < xcb_res_query_clients_clients_length(reply) && known_count < 64; i++)
    known[known_count++] = clients[i].resource_base;
  free(reply);
}

uint32_t session_pixel(int x, int y) {
  uint32_t pixel;
  if (x < 0 || y < 0 || x >= (int)framebuffer.width || y >= (int)framebuffer.height)
    return 0;
  /* The server writes there meanwhile: read anew each time. */
  __asm__ volatile("" ::: "memory");
  memcpy(&pixel, framebuffer.bytes + framebuffer.offset + y * framebuffer.stride + x * 4, 4);
  return pixel & 0xffffff;
}

int session_shows_color(int x, int y, int width, int height) {
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++) {
      int px = x + (width - 1) * i / 4, py = y + (height - 1) * j / 4;
      if (session_pixel(px, py) == COLOR)
        return 1;
    }
  return 0;
}

void session_watch_painting(int on) {
  xcb_connection_t *c = session.connection;
  if (on && !damage) {
    damage = xcb_generate_id(c);
    xcb_damage_create(c, damage, session.screen->root, XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
  }
  if (!on && damage) {
    xcb_damage_destroy(c, damage);
    damage = 0;
  }
  free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), 0)); /* a round trip: the server has it */
}

/* Xvfb keeps its screen in a file (XWD format), so that looking at it costs the server nothing. */
static void open_framebuffer(void) {
  char path[128];
  struct stat status;
  snprintf(path, sizeof path, "%s/Xvfb_screen0", framebuffer_directory);
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status))
    die("Xvfb wrote no framebuffer file");
  void *bytes = mmap(0, status.st_size, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    die("cannot map the framebuffer file");
  const uint32_t *header = bytes;
  int swapped = __builtin_bswap32(header[0]) < 4096; /* the XWD header is big-endian */
#define FIELD(i) (swapped ? __builtin_bswap32(header[i]) : header[i])
  framebuffer.bytes = bytes;
  framebuffer.width = FIELD(4);
  framebuffer.height = FIELD(5);
  framebuffer.stride = FIELD(12);
  framebuffer.offset = FIELD(0) + FIELD(19) * 12;
#undef FIELD
}

static void remove_framebuffer(void) {
  char path[128];
  if (!framebuffer_directory[0])
    return;
  snprintf(path, sizeof path, "%s/Xvfb_screen0", framebuffer_directory);
  unlink(path);
  rmdir(framebuffer_directory);
  framebuffer_directory[0] = 0;
}

static void start_server(void) {
  int ready[2];
  char number[16], descriptor[16], name[16];
  strcpy(framebuffer_directory, "/dev/shm/xbench.XXXXXX");
  if (!mkdtemp(framebuffer_directory) || pipe(ready))
    die("cannot make a directory in /dev/shm and a pipe");
  snprintf(descriptor, sizeof descriptor, "%d", ready[1]);
  char *argv[] = {
    "Xvfb",   "-displayfd",          descriptor,    "-screen", "0", "1920x1200x24", "-noreset", "-nolisten", "tcp",
    "-fbdir", framebuffer_directory, "-maxclients", "512",     0};
  session.server_pid = spawn(argv, environ);
  close(ready[1]);
  if (session.server_pid < 0)
    die("cannot start Xvfb");
  ssize_t length = read(ready[0], number, sizeof number - 1);
  close(ready[0]);
  if (length <= 0)
    die("Xvfb gave no display");
  number[length] = 0;
  session.display = atoi(number);
  snprintf(name, sizeof name, ":%d", session.display);
  setenv("DISPLAY", name, 1);
  session.connection = xcb_connect(name, 0);
  if (xcb_connection_has_error(session.connection))
    die("cannot connect to Xvfb");
  session.screen = xcb_setup_roots_iterator(xcb_get_setup(session.connection)).data;
  session.id_mask = xcb_get_setup(session.connection)->resource_id_mask;
}

static void start_manager(void) {
  xcb_connection_t *c = session.connection;
  char *argv[] = {"openbox", "--sm-disable", 0};
  session.manager_pid = spawn(argv, environ);
  if (session.manager_pid < 0)
    die("cannot start openbox");
  double limit = now_ms() + 10000;
  for (int up = 0; !up;) {
    if (now_ms() > limit)
      die("openbox did not start");
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
      c, xcb_get_property(c, 0, session.screen->root, session.atom.net_supporting_wm_check, XCB_ATOM_WINDOW, 0, 1), 0);
    up = reply && reply->value_len;
    free(reply);
    usleep(20000);
  }
  usleep(700000); /* it goes on with things of its own after it has announced itself; they would be measured too */
}

void session_start(int with_openbox) {
  start_server();
  open_framebuffer();
  xcb_connection_t *c = session.connection;
  const xcb_query_extension_reply_t *extension = xcb_get_extension_data(c, &xcb_damage_id);
  if (!extension || !extension->present)
    die("the X server has no DAMAGE extension");
  session.damage_event = extension->first_event;
  free(xcb_damage_query_version_reply(c, xcb_damage_query_version(c, 1, 1), 0));
  free(xcb_res_query_version_reply(c, xcb_res_query_version(c, 1, 2), 0));
  session.atom.wm_protocols = intern("WM_PROTOCOLS");
  session.atom.wm_delete_window = intern("WM_DELETE_WINDOW");
  session.atom.wm_change_state = intern("WM_CHANGE_STATE");
  session.atom.net_active_window = intern("_NET_ACTIVE_WINDOW");
  session.atom.net_supporting_wm_check = intern("_NET_SUPPORTING_WM_CHECK");
  session.has_manager = with_openbox;
  if (with_openbox)
    start_manager();
  uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  xcb_change_window_attributes(c, session.screen->root, XCB_CW_EVENT_MASK, &mask);
  remember_clients();
  session.proxy_display = xproxy_start(session.display);
  if (session.proxy_display < 0)
    die("cannot start the proxy");
}

static void end_child(pid_t *pid) {
  if (*pid <= 0)
    return;
  kill(*pid, SIGTERM);
  waitpid(*pid, 0, 0);
  *pid = 0;
}

void session_end(void) {
  if (program.pid > 1 && !program.exited)
    kill(program.pid, SIGKILL);
  if (session.connection)
    xcb_disconnect(session.connection);
  session.connection = 0;
  end_child(&session.manager_pid);
  end_child(&session.server_pid);
  remove_framebuffer();
  if (session.proxy_display >= 0) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", session.proxy_display);
    unlink(path);
    session.proxy_display = -1;
  }
}
