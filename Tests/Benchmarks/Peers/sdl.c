/* The measure in SDL 2: video alone, and the window's surface, which is memory that the server shares; no renderer. */
#include <SDL.h>
#include <SDL_syswm.h>
#include <stdlib.h>
#include "peer.h"
#include "xlib.h"

static void answer_on(SDL_Window *window, enum answer which) {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window, &info))
    answer(info.info.x11.display, info.info.x11.window, which);
}

static void paint(SDL_Window *window) {
  SDL_Surface *surface = SDL_GetWindowSurface(window);
  if (!surface)
    return;
  SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, COLOR >> 16, COLOR >> 8 & 255, COLOR & 255));
  SDL_UpdateWindowSurface(window);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1, alive = count, stays = getenv("XB_STAY") != NULL;
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* SIGTERM ends it, and is no event */
  if (SDL_Init(SDL_INIT_VIDEO))
    return 1;
  for (int i = 0; i < count; i++) {
    SDL_Window *window = SDL_CreateWindow("peer", PLACE_X(i), PLACE_Y(i), WIDTH, HEIGHT, SDL_WINDOW_SHOWN);
    if (!window)
      return 1;
    paint(window);
  }
  for (SDL_Event event; (alive || stays) && SDL_WaitEvent(&event);) {
    SDL_Window *window = event.type == SDL_WINDOWEVENT ? SDL_GetWindowFromID(event.window.windowID) : NULL;
    if (!window)
      continue;
    switch (event.window.event) {
    case SDL_WINDOWEVENT_EXPOSED:
      paint(window);
      break;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
      answer_on(window, ACTIVE);
      break;
    case SDL_WINDOWEVENT_MINIMIZED:
      answer_on(window, HIDDEN);
      break;
    case SDL_WINDOWEVENT_RESTORED:
      answer_on(window, SHOWN);
      break;
    case SDL_WINDOWEVENT_CLOSE:
      SDL_DestroyWindow(window);
      alive--;
      break;
    }
  }
  SDL_Quit();
  return 0;
}
