/* What /proc and the X-Resource extension say of the program being measured. */
#define _GNU_SOURCE
#include "harness.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/res.h>

/* The whole of a small file as text; 0 if it cannot be read. */
static int read_text(const char *path, char *text, size_t capacity) {
  int file = open(path, O_RDONLY);
  if (file < 0)
    return 0;
  ssize_t length = read(file, text, capacity - 1);
  close(file);
  if (length <= 0)
    return 0;
  text[length] = 0;
  return 1;
}

static long number_after(const char *text, const char *key) {
  const char *found = strstr(text, key);
  return found ? atol(found + strlen(key)) : -1;
}

memory_t read_memory(pid_t pid) {
  char path[64], text[4096];
  memory_t memory = {-1, -1, -1};
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
  if (!read_text(path, text, sizeof text))
    return memory;
  memory.rss = number_after(text, "\nRss:");
  memory.pss = number_after(text, "\nPss:");
  memory.private_dirty = number_after(text, "\nPrivate_Dirty:");
  return memory;
}

schedule_t read_schedule(pid_t pid) {
  char path[128], text[4096];
  schedule_t schedule = {0};
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *directory = opendir(path);
  if (!directory)
    return schedule;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (!isdigit((unsigned char)entry->d_name[0]))
      continue;
    schedule.threads++;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", pid, entry->d_name);
    if (read_text(path, text, sizeof text)) {
      long wanted = number_after(text, "\nvoluntary_ctxt_switches:");
      schedule.wanted += wanted;
      schedule.switches += wanted + number_after(text, "\nnonvoluntary_ctxt_switches:");
    }
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", pid, entry->d_name);
    if (read_text(path, text, sizeof text))
      schedule.cpu_us += atoll(text) / 1000;
  }
  closedir(directory);
  return schedule;
}

/* The state of a thread (proc_pid_stat(5)) stands behind its name, which may contain anything. */
int is_waiting(pid_t pid) {
  char path[128], text[4096];
  int waits = 1;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *directory = opendir(path);
  if (!directory)
    return 1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", pid, entry->d_name);
    if (!isdigit((unsigned char)entry->d_name[0]) || !read_text(path, text, sizeof text))
      continue;
    char *end = strrchr(text, ')');
    waits &= end && end[1] && end[2] == 'S';
  }
  closedir(directory);
  return waits;
}

void print_waits(pid_t pid, const char *when) {
  char path[128], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *directory = opendir(path);
  if (!directory)
    return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", pid, entry->d_name);
    if (!isdigit((unsigned char)entry->d_name[0]) || !read_text(path, text, sizeof text))
      continue;
    long waits = number_after(text, "\nvoluntary_ctxt_switches:");
    char name[32] = "";
    sscanf(text, "Name: %31[^\n]", name);
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/syscall", pid, entry->d_name);
    fprintf(
      stderr, "%s: thread %s (%s) waited %ld times, now in system call %s", when, entry->d_name, name, waits,
      read_text(path, text, sizeof text) ? text : "unknown\n");
  }
  closedir(directory);
}

int count_libraries(pid_t pid) {
  char path[64], line[1024], seen[512][128];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  while (fgets(line, sizeof line, file)) {
    char *library = strchr(line, '/');
    if (!library || !strstr(library, ".so"))
      continue;
    library[strcspn(library, "\n")] = 0;
    library = strrchr(library, '/') + 1;
    int i = 0;
    while (i < count && strncmp(seen[i], library, 127))
      i++;
    if (i == count && count < 512)
      snprintf(seen[count++], 128, "%s", library);
  }
  fclose(file);
  return count;
}

/* QueryResourceBytes is left out: this server answers 0 for windows. */
resources_t read_resources(void) {
  xcb_connection_t *c = session.connection;
  resources_t sum = {0};
  xcb_res_query_clients_reply_t *clients = xcb_res_query_clients_reply(c, xcb_res_query_clients(c), 0);
  if (!clients)
    die("lost the X server");
  xcb_res_client_t *client = xcb_res_query_clients_clients(clients);
  for (int i = 0; i < xcb_res_query_clients_clients_length(clients); i++) {
    uint32_t base = client[i].resource_base;
    if (session_knows(base))
      continue;
    sum.clients++;
    xcb_res_query_client_resources_reply_t *resources =
      xcb_res_query_client_resources_reply(c, xcb_res_query_client_resources(c, base), 0);
    if (resources) {
      xcb_res_type_t *type = xcb_res_query_client_resources_types(resources);
      for (int j = 0; j < xcb_res_query_client_resources_types_length(resources); j++)
        sum.resources += type[j].count;
      free(resources);
    }
    xcb_res_query_client_pixmap_bytes_reply_t *pixmaps =
      xcb_res_query_client_pixmap_bytes_reply(c, xcb_res_query_client_pixmap_bytes(c, base), 0);
    if (pixmaps)
      sum.pixmap_bytes += pixmaps->bytes;
    free(pixmaps);
  }
  free(clients);
  return sum;
}
