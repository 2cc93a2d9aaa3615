/* xproxy: a counting, latency-injecting X11 proxy that runs in a thread of the harness. */
#pragma once
#include <stdint.h>
typedef struct {
  uint64_t requests, replies, events, errors, c2s_bytes, s2c_bytes, conns;
  uint64_t op[256];      /* requests by major opcode */
  char extname[256][40]; /* extension name by major opcode (learned from QueryExtension) */
} xproxy_stats;
/* Listen on a free display number >= 200, forward to /tmp/.X11-unix/X<upstream>.
   Returns the display number, or -1. */
int xproxy_start(int upstream_display);
void xproxy_set_delay_us(int one_way_us); /* for bytes accepted from now on */
void xproxy_reset(void);
void xproxy_freeze(void); /* stop counting (e.g. once the window is painted) */
void xproxy_get(xproxy_stats *out);
