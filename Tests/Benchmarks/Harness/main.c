/* xbench: a black-box benchmark for X11 programs that open windows. See ../README.md. */
#define _GNU_SOURCE
#include "harness.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void usage(void) {
  fprintf(
    stderr, "usage: xbench --plan FILE [--wm none|openbox] [--rounds R] [--seed S] [--only NAME,NAME]\n"
            "              --test launch:N|memory:N|idle:N|trips:N|focus:TIMES|iconify:TIMES|\n"
            "              typed:KEYS|repeated:KEYS|burst:KEYS|resized:SIZES ...\n");
  exit(2);
}

static void interrupted(int signal) {
  /* Not safe in general, but nothing else runs and the processes must not stay behind. */
  session_end();
  _exit(128 + signal);
}

/* Keeps the peers that the list names. */
static int keep_only(peer_t *peers, int count, const char *list) {
  char names[4096], name[160];
  int kept = 0;
  snprintf(names, sizeof names, ",%s,", list);
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, ",%s,", peers[i].name);
    if (strstr(names, name))
      peers[kept++] = peers[i];
  }
  return kept;
}

static void shuffle(peer_t *peers, int count) {
  for (int i = count - 1; i > 0; i--) {
    int j = rand() % (i + 1);
    peer_t peer = peers[i];
    peers[i] = peers[j];
    peers[j] = peer;
  }
}

/* Whether a program takes part in a round. If not in all, the rounds are spread over the whole time. */
static int takes_part(const peer_t *peer, int round, int rounds) {
  int wanted = peer->max_rounds;
  return !wanted || wanted >= rounds || round * wanted / rounds > (round - 1) * wanted / rounds;
}

int main(int argc, char **argv) {
  static peer_t peers[128];
  char *plan = 0, *only = 0, *tests[32];
  int test_count = 0, rounds = 1, with_openbox = 0;
  unsigned seed = 1;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc)
      usage();
    char *option = argv[i], *value = argv[i + 1];
    if (!strcmp(option, "--plan"))
      plan = value;
    else if (!strcmp(option, "--wm"))
      with_openbox = !strcmp(value, "openbox");
    else if (!strcmp(option, "--rounds"))
      rounds = atoi(value);
    else if (!strcmp(option, "--seed"))
      seed = atoi(value);
    else if (!strcmp(option, "--only"))
      only = value;
    else if (!strcmp(option, "--test") && test_count < 32)
      tests[test_count++] = value;
    else
      usage();
  }
  if (!plan || !test_count)
    usage();
  int count = plan_read(plan, peers, 128);
  if (only)
    count = keep_only(peers, count, only);

  setvbuf(stdout, 0, _IOLBF, 0);
  signal(SIGINT, interrupted);
  signal(SIGTERM, interrupted);
  signal(SIGPIPE, SIG_IGN);
  atexit(session_end);
  srand(seed);
  session_start(with_openbox);

  /* One launch of each is not recorded: it fills caches, and the server makes lazily what it needs once. */
  for (int i = 0; i < count; i++) {
    session_watch_painting(1);
    if (program_launch(&peers[i], 1, 0, session.display))
      fprintf(stderr, "xbench: %s shows no window\n", peers[i].name);
    program_settle(150, 3000);
    program_end();
  }
  /* The order changes in every round, so that the drift of a shared machine spreads over all. */
  for (int round = 1; round <= rounds; round++) {
    shuffle(peers, count);
    for (int i = 0; i < count; i++)
      for (int j = 0; j < test_count && takes_part(&peers[i], round, rounds); j++) {
        char name[32];
        int number = 1;
        if (
          sscanf(tests[j], "%31[a-z]:%d", name, &number) < 1 || number < 1 || !measure(name, &peers[i], round, number))
          usage();
      }
  }
  return 0;
}
