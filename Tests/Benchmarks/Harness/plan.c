/* Reads a plan. One program a line: name | environment, @active= @hidden= @shown= @max= @rounds= | command
   The number of windows is appended to the command. @max= is how many of them it can have at most; with @rounds= it
   takes part in so many of the rounds. Lines that begin with # are comments. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *after(const char *word, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(word, prefix, length) ? 0 : word + length;
}

static void read_line(peer_t *peer, const char *line) {
  char *name = strdup(line), *middle = name ? strchr(name, '|') : 0, *command = middle ? strchr(middle + 1, '|') : 0;
  if (!command)
    die("a line of the plan needs two |");
  *middle++ = *command++ = 0;
  *peer = (peer_t){
    .name = strtok(name, " \t"), .active = "_BENCH_ACTIVE", .hidden = "_BENCH_HIDDEN", .shown = "_BENCH_SHOWN"};
  peer->max_windows = 1000;
  for (char *word = strtok(middle, " \t"); word; word = strtok(0, " \t")) {
    const char *value;
    if ((value = after(word, "@active=")))
      peer->active = value;
    else if ((value = after(word, "@hidden=")))
      peer->hidden = value;
    else if ((value = after(word, "@shown=")))
      peer->shown = value;
    else if ((value = after(word, "@max=")))
      peer->max_windows = atoi(value);
    else if ((value = after(word, "@rounds=")))
      peer->max_rounds = atoi(value);
    else if (peer->environment_count < 32)
      peer->environment[peer->environment_count++] = word;
  }
  for (char *word = strtok(command, " \t"); word && peer->argv_count < 32; word = strtok(0, " \t"))
    peer->argv[peer->argv_count++] = word;
  if (!peer->name || !peer->argv_count)
    die("a line of the plan needs a name and a command");
}

int plan_read(const char *path, peer_t *peers, int capacity) {
  FILE *file = fopen(path, "r");
  if (!file)
    die("cannot read the plan");
  char line[4096];
  int count = 0;
  while (count < capacity && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] && line[0] != '#')
      read_line(&peers[count++], line);
  }
  fclose(file);
  return count;
}
