/* Opens and reads every record of a store, and prints how many microseconds that took: store load NUMBER. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 3 || !getenv("XDG_STATE_HOME"))
    return 2;
  snprintf(path, sizeof path, "%s/store", getenv("XDG_STATE_HOME"));
  long start = microseconds();
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = 0;
  DIR *stream = directory < 0 ? NULL : fdopendir(directory);
  if (!stream)
    return 1;
  for (struct dirent *entry; (entry = readdir(stream));) {
    char *suffix = strrchr(entry->d_name, '.');
    if (!suffix || strcmp(suffix, ".session"))
      continue;
    struct stat status;
    int file = openat(directory, entry->d_name, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status))
      return 1;
    char *bytes = malloc(status.st_size);
    if (!bytes || read(file, bytes, status.st_size) != status.st_size)
      return 1;
    close(file);
    count++;
    /* Not freed: a program that reads its sessions keeps them. */
  }
  long end = microseconds();
  if (count != atoi(argv[2]))
    return 1;
  printf("%ld\n", end - start);
  return 0;
}
