#include "adapter.h"

#include <SDL_syswm.h>
#include <poll.h>

/* The connection of SDL's windows; poll() skips it while there is none. */
static int x11_descriptor = -1;

int adapter_start(void) {
  /* The end of the program is Proscenium's: SDL is to make no SDL_QUIT of a signal, nor of the last window. */
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
  return SDL_InitSubSystem(SDL_INIT_VIDEO);
}

/* ---- Windows ---- */

/* 0 where SDL does not use X11. */
static uint32_t xid_of(SDL_Window *window) {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return 0;
  x11_descriptor = ConnectionNumber(info.info.x11.display);
  return (uint32_t)info.info.x11.window;
}

static void set_hidden(void *window, uint32_t xid, int is_hidden) {
  (void)xid;
  if (is_hidden) SDL_HideWindow(window); else SDL_ShowWindow(window);
}

static void destroy(void *window, uint32_t xid) {
  (void)xid;
  /* SDL does not destroy it with its window. */
  SDL_Renderer *renderer = SDL_GetRenderer(window);
  if (renderer) SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
}

int adapter_adopt(psc_scene scene, SDL_Window *window) {
  const psc_window_owner owner = {.size = sizeof owner, .data = window, .set_hidden = set_hidden, .destroy = destroy};
  return psc_window_adopt(scene, xid_of(window), &owner);
}

void adapter_handle(const SDL_Event *event) {
  if (event->type != SDL_WINDOWEVENT || event->window.event != SDL_WINDOWEVENT_CLOSE) return;
  /* SDL alone hears of the close button, and closes nothing by itself: the scene decides. */
  SDL_Window *window = SDL_GetWindowFromID(event->window.windowID);
  if (window) psc_window_perform_close(xid_of(window));
}

/* ---- The loop ---- */

void adapter_wait(void) {
  /* What SDL has read already makes no descriptor readable. */
  SDL_PumpEvents();
  if (SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) return;
  /* SDL_WaitEvent() does not know of Proscenium's descriptor, which is readable when a time is over, too. Events that
   * threads of the program push do not end this wait: let them write to a pipe that is waited for here as well. */
  struct pollfd waited[] = {{.fd = psc_descriptor(), .events = POLLIN}, {.fd = x11_descriptor, .events = POLLIN}};
  poll(waited, 2, -1);
}
