/* A window of SDL 2 that is drawn 60 times a second: see guest.h. */
#ifdef WITH_PROSCENIUM
#include "adapter.h"
#else
#include <SDL.h>
#endif
#include "guest.h"

static SDL_Window *window;
static SDL_Renderer *renderer;

static void make_window(Uint32 flags) {
  window = SDL_CreateWindow("A guest", 60, 60, 400, 300, flags);
  renderer = window ? SDL_CreateRenderer(window, -1, 0) : NULL;
  if (!renderer)
    exit(1);
}

static void draw(void) {
  static Uint8 level;
  SDL_SetRenderDrawColor(renderer, level++, 64, 96, 255);
  SDL_RenderClear(renderer);
  SDL_RenderPresent(renderer);
  frame();
}

#ifdef WITH_PROSCENIUM
static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
  (void)data, (void)connection;
  make_window(SDL_WINDOW_HIDDEN);
  if (adapter_adopt(scene, window) != PSC_OK)
    exit(1);
  SDL_ShowWindow(window);
}

static void start(char **argv) {
  const psc_application application = {
    .size = sizeof application, .identifier = "org.example.Guest", .scene_will_connect = will_connect};
  if (adapter_start() != 0 || psc_attach(&application, 1, argv) != PSC_OK) {
    fprintf(stderr, "%s\n", psc_error_message());
    exit(1);
  }
}

static int turn(const SDL_Event *event) {
  if (event)
    adapter_handle(event);
  return psc_turn() == PSC_OK;
}
#else
static void start(char **argv) {
  (void)argv;
  if (SDL_Init(SDL_INIT_VIDEO) != 0)
    exit(1);
  make_window(0);
}

static int turn(const SDL_Event *event) {
  (void)event;
  return 1;
}
#endif

int main(int argc, char **argv) {
  if (argc > 1)
    frames_left = atoi(argv[1]);
  start(argv);
  const Uint64 second = SDL_GetPerformanceFrequency();
  Uint64 due = SDL_GetPerformanceCounter();
  while (turn(NULL)) {
    SDL_Event event;
    while (SDL_PollEvent(&event))
      turn(&event);
    if (window)
      draw();
    due += second / 60;
    Uint64 now = SDL_GetPerformanceCounter();
    if (due > now)
      SDL_Delay((Uint32)((due - now) * 1000 / second));
  }
  return 0;
}
