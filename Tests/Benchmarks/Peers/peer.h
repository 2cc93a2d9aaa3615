/* What every peer does: N windows of this size and colour at these places; on becoming active it writes _BENCH_ACTIVE,
   on being hidden _BENCH_HIDDEN, on being shown _BENCH_SHOWN (CARDINAL, a counter) on that window; on WM_DELETE_WINDOW
   it destroys the window; it ends with the last one unless XB_STAY is in its environment. */
#pragma once
#define WIDTH 160
#define HEIGHT 100
#define COLOR 0x2E8B57
#define PLACE_X(i) ((i) % 12 * WIDTH)
#define PLACE_Y(i) ((i) / 12 % 12 * HEIGHT)
