/* X11 proxy. One thread, poll() loop. Every chunk read from one side is queued with a due
   time (arrival + one-way delay) and written to the other side when due. Both byte streams
   are parsed just enough to count requests / replies / events / errors. File descriptors
   passed with SCM_RIGHTS (MIT-SHM 1.2, DRI3) are forwarded with the chunk that carried them. */
#define _GNU_SOURCE
#include "xproxy.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef struct chunk {
  struct chunk *next;
  int64_t due;
  size_t len, off;
  int fds[8], nfd;
  unsigned char data[];
} chunk;
typedef struct { /* incremental framing of one byte stream */
  unsigned char hdr[256];
  size_t have, need;
  uint64_t skip;
  int setup_done;
} framer;
typedef struct {
  int fd[2];            /* 0 client, 1 server */
  chunk *qh[2], *qt[2]; /* q[i]: waiting to be written to fd[i] */
  int eof[2];
  framer f[2]; /* f[0] bytes from client, f[1] bytes from server */
  uint16_t seq;
  struct {
    uint16_t seq;
    char name[40];
    int used;
  } qe[64];
} conn;

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static xproxy_stats st;
static int frozen, delay_us, upstream, lfd[2] = {-1, -1};

static int64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}
static unsigned rd16(const unsigned char *p) { return p[0] | p[1] << 8; }
static unsigned rd32(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }
#define PAD4(n) (((n) + 3) & ~3u)

static void on_request(conn *k, const unsigned char *h, size_t have) {
  k->seq++;
  if (h[0] == 98 && have >= 8) { /* QueryExtension: remember its name until the reply */
    unsigned n = rd16(h + 4);
    for (int i = 0; i < 64; i++)
      if (!k->qe[i].used) {
        k->qe[i].used = 1;
        k->qe[i].seq = k->seq;
        size_t m = n < 39 ? n : 39;
        if (8 + m > have)
          m = have - 8;
        memcpy(k->qe[i].name, h + 8, m);
        k->qe[i].name[m] = 0;
        break;
      }
  }
  if (!frozen) {
    st.requests++;
    st.op[h[0]]++;
  }
}
static void on_server(conn *k, const unsigned char *h) {
  if (h[0] == 1)
    for (int i = 0; i < 64; i++)
      if (k->qe[i].used && k->qe[i].seq == rd16(h + 2)) {
        k->qe[i].used = 0;
        if (h[8])
          memcpy(st.extname[h[9]], k->qe[i].name, 40);
      }
  if (frozen)
    return;
  if (h[0] == 1)
    st.replies++;
  else if (h[0] == 0)
    st.errors++;
  else
    st.events++;
}
/* Feed bytes; hdr collects up to `need` bytes of each message, skip counts the rest. */
static void feed(conn *k, int from_server, const unsigned char *p, size_t n) {
  framer *f = &k->f[from_server];
  while (n) {
    if (f->skip) {
      size_t m = n < f->skip ? n : f->skip;
      p += m;
      n -= m;
      f->skip -= m;
      continue;
    }
    if (!f->need)
      f->need = f->setup_done ? (from_server ? 32 : 4) : (from_server ? 8 : 12);
    size_t m = f->need - f->have;
    if (m > n)
      m = n;
    memcpy(f->hdr + f->have, p, m);
    f->have += m;
    p += m;
    n -= m;
    if (f->have < f->need)
      return;
    uint64_t total;
    if (!f->setup_done) {
      total = from_server ? 8 + 4ull * rd16(f->hdr + 6) : 12ull + PAD4(rd16(f->hdr + 6)) + PAD4(rd16(f->hdr + 8));
      f->setup_done = 1;
    } else if (from_server) {
      int t = f->hdr[0] & 0x7f;
      total = 32;
      if (f->hdr[0] == 1 || t == 35)
        total += 4ull * rd32(f->hdr + 4);
      on_server(k, f->hdr);
    } else {
      uint64_t len = rd16(f->hdr + 2) * 4ull;
      if (!len) {
        if (f->need < 8) {
          f->need = 8;
          continue;
        }
        len = rd32(f->hdr + 4) * 4ull;
      }
      if (f->hdr[0] == 98 && f->need < len && len <= sizeof f->hdr) {
        f->need = len;
        continue;
      }
      total = len;
      on_request(k, f->hdr, f->have);
    }
    f->skip = total > f->have ? total - f->have : 0;
    f->have = 0;
    f->need = 0;
  }
}
static int pull(conn *k, int side) { /* read from fd[side], queue for the other */
  static unsigned char buf[1 << 18];
  char cb[CMSG_SPACE(8 * sizeof(int))];
  struct iovec iv = {buf, sizeof buf};
  struct msghdr mh = {.msg_iov = &iv, .msg_iovlen = 1, .msg_control = cb, .msg_controllen = sizeof cb};
  ssize_t r = recvmsg(k->fd[side], &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (r < 0)
    return errno == EAGAIN ? 0 : -1;
  if (r == 0)
    return -1;
  chunk *c = malloc(sizeof *c + r);
  c->next = 0;
  c->len = r;
  c->off = 0;
  c->nfd = 0;
  memcpy(c->data, buf, r);
  for (struct cmsghdr *cm = CMSG_FIRSTHDR(&mh); cm; cm = CMSG_NXTHDR(&mh, cm))
    if (cm->cmsg_type == SCM_RIGHTS) {
      int nf = (cm->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (int i = 0; i < nf && c->nfd < 8; i++)
        c->fds[c->nfd++] = ((int *)CMSG_DATA(cm))[i];
    }
  pthread_mutex_lock(&mu);
  c->due = now_us() + delay_us;
  if (!frozen) {
    if (side)
      st.s2c_bytes += r;
    else
      st.c2s_bytes += r;
  }
  feed(k, side, buf, r);
  pthread_mutex_unlock(&mu);
  int o = !side;
  if (k->qt[o])
    k->qt[o]->next = c;
  else
    k->qh[o] = c;
  k->qt[o] = c;
  return 0;
}
static int push(conn *k, int side) {
  while (k->qh[side] && k->qh[side]->due <= now_us()) {
    chunk *c = k->qh[side];
    char cb[CMSG_SPACE(8 * sizeof(int))];
    struct iovec iv = {c->data + c->off, c->len - c->off};
    struct msghdr mh = {.msg_iov = &iv, .msg_iovlen = 1};
    if (c->nfd) {
      mh.msg_control = cb;
      mh.msg_controllen = CMSG_SPACE(c->nfd * sizeof(int));
      struct cmsghdr *cm = CMSG_FIRSTHDR(&mh);
      cm->cmsg_level = SOL_SOCKET;
      cm->cmsg_type = SCM_RIGHTS;
      cm->cmsg_len = CMSG_LEN(c->nfd * sizeof(int));
      memcpy(CMSG_DATA(cm), c->fds, c->nfd * sizeof(int));
    }
    ssize_t w = sendmsg(k->fd[side], &mh, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (w < 0)
      return errno == EAGAIN ? 0 : -1;
    for (int i = 0; i < c->nfd; i++)
      close(c->fds[i]);
    c->nfd = 0;
    c->off += w;
    if (c->off < c->len)
      return 0;
    k->qh[side] = c->next;
    if (!c->next)
      k->qt[side] = 0;
    free(c);
  }
  return 0;
}
static int unix_addr(struct sockaddr_un *a, int dpy, int abstract) {
  memset(a, 0, sizeof *a);
  a->sun_family = AF_UNIX;
  int n = snprintf(a->sun_path + (abstract ? 1 : 0), 100, "/tmp/.X11-unix/X%d", dpy);
  return offsetof(struct sockaddr_un, sun_path) + n + 1;
}
static void *loop(void *unused) {
  (void)unused;
  conn *ks[64];
  int nk = 0;
  for (;;) {
    struct pollfd pf[2 + 128];
    int n = 0;
    pf[n++] = (struct pollfd){lfd[0], POLLIN, 0};
    pf[n++] = (struct pollfd){lfd[1], POLLIN, 0};
    int64_t next = INT64_MAX, t = now_us();
    for (int i = 0; i < nk; i++)
      for (int s = 0; s < 2; s++) {
        short ev = ks[i]->eof[s] ? 0 : POLLIN;
        if (ks[i]->qh[s]) {
          if (ks[i]->qh[s]->due <= t)
            ev |= POLLOUT;
          else if (ks[i]->qh[s]->due < next)
            next = ks[i]->qh[s]->due;
        }
        pf[n++] = (struct pollfd){ev ? ks[i]->fd[s] : -1, ev, 0};
      }
    struct timespec ts;
    int64_t w = next - t;
    if (w < 0)
      w = 0;
    ts.tv_sec = w / 1000000;
    ts.tv_nsec = w % 1000000 * 1000;
    ppoll(pf, n, next == INT64_MAX ? 0 : &ts, 0);
    int live = nk;
    for (int i = 0; i < live; i++) {
      conn *k = ks[i];
      int dead = 0;
      for (int s = 0; s < 2; s++) {
        struct pollfd *p = &pf[2 + 2 * i + s];
        if (p->fd >= 0 && (p->revents & (POLLIN | POLLHUP | POLLERR)) && !k->eof[s])
          if (pull(k, s) < 0)
            k->eof[s] = 1;
      }
      for (int s = 0; s < 2; s++) {
        if (push(k, s) < 0)
          dead = 1;
        if (k->eof[!s] && !k->qh[s])
          dead = 1;
      }
      if (dead) {
        close(k->fd[0]);
        close(k->fd[1]);
        for (int s = 0; s < 2; s++)
          while (k->qh[s]) {
            chunk *c = k->qh[s];
            k->qh[s] = c->next;
            free(c);
          }
        free(k);
        ks[i] = 0;
      }
    }
    int j = 0;
    for (int i = 0; i < nk; i++)
      if (ks[i])
        ks[j++] = ks[i];
    nk = j;
    for (int l = 0; l < 2; l++)
      if (pf[l].revents & POLLIN) {
        int c = accept4(lfd[l], 0, 0, SOCK_CLOEXEC);
        if (c < 0)
          continue;
        struct sockaddr_un a;
        int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int al = unix_addr(&a, upstream, 0);
        if (nk == 64 || connect(s, (void *)&a, al)) {
          close(s);
          close(c);
          continue;
        }
        conn *k = calloc(1, sizeof *k);
        k->fd[0] = c;
        k->fd[1] = s;
        ks[nk++] = k;
        pthread_mutex_lock(&mu);
        if (!frozen)
          st.conns++;
        pthread_mutex_unlock(&mu);
      }
  }
  return 0;
}
int xproxy_start(int up) {
  upstream = up;
  for (int d = 200 + up; d < 2000; d++) {
    struct sockaddr_un a;
    int al = unix_addr(&a, d, 0);
    if (access(a.sun_path, F_OK) == 0)
      continue;
    int f = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), g = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(f, (void *)&a, al)) {
      close(f);
      close(g);
      continue;
    }
    al = unix_addr(&a, d, 1) - 1; /* libxcb's abstract name has no trailing NUL */
    if (bind(g, (void *)&a, al)) {
      close(f);
      close(g);
      continue;
    }
    listen(f, 16);
    listen(g, 16);
    lfd[0] = f;
    lfd[1] = g;
    pthread_t th;
    pthread_create(&th, 0, loop, 0);
    return d;
  }
  return -1;
}
void xproxy_set_delay_us(int us) {
  pthread_mutex_lock(&mu);
  delay_us = us;
  pthread_mutex_unlock(&mu);
}
void xproxy_reset(void) {
  pthread_mutex_lock(&mu);
  memset(&st, 0, sizeof st);
  frozen = 0;
  pthread_mutex_unlock(&mu);
}
void xproxy_freeze(void) {
  pthread_mutex_lock(&mu);
  frozen = 1;
  pthread_mutex_unlock(&mu);
}
void xproxy_get(xproxy_stats *o) {
  pthread_mutex_lock(&mu);
  *o = st;
  pthread_mutex_unlock(&mu);
}
