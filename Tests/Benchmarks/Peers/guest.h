/* What both guests do: print the monotonic time in nanoseconds of the first frame, and of each of so many frames after
   it as the first argument says. With WITH_PROSCENIUM their window is a scene's, as the adapters of Demos/Guests do it. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int frames_left = 1;

static void frame(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
  if (frames_left-- > 0)
    return;
  fflush(stdout);
  /* Its end is not measured. */
  _exit(0);
}
