/* A game of SDL 2: a ball, a paddle, and the number of hits and misses. Each window is a scene and a game of its own,
 * which comes back after any end, kill -9 included.
 *
 *     cc *.c $(pkg-config --cflags --libs sdl2 proscenium)
 *
 * A game runs while its scene is active, and has textures while it is seen. While all are paused no time of the
 * processor is taken. --scenes N opens N windows at the first launch. Left, Right or the pointer move the paddle,
 * N opens a window, Q quits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"

enum { FRAMES_PER_SECOND = 60, RADIUS = 12, PADDLE_WIDTH = 96, PADDLE_HEIGHT = 12 };

typedef struct Game {
  struct Game *next;
  psc_scene scene;
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *ball; /* NULL in the background. */
  int is_active, needs_drawing;
  float x, y, dx, dy, paddle; /* The ball's centre, and the paddle's, in pixels; speeds in pixels of a frame. */
  int hits, misses;
  int offset; /* Of a new window on the screen. */
} Game;

static Game *games;
static int wanted_scenes = 1;

static Game *game_of(SDL_Window *window) {
  for (Game *game = games; game; game = game->next)
    if (game->window == window) return game;
  return NULL;
}

static void report(const char *what, const char *why) { fprintf(stderr, "SDLGame: %s: %s\n", what, why); }

/* ---- The state ---- */

static void save_state(void *data, psc_scene scene) {
  (void)data;
  const Game *game = psc_scene_data(scene);
  if (!game) return;
  char text[160];
  int length = snprintf(text, sizeof text, "%d %d %g %g %g %g %g", game->hits, game->misses, game->x, game->y, game->dx,
                        game->dy, game->paddle);
  if (psc_session_set_state(psc_scene_session(scene), text, (size_t)length) != PSC_OK)
    report("not saved", psc_error_message());
}

static void restore(Game *game, psc_session session) {
  char text[160];
  int64_t length = psc_session_state(session, text, sizeof text - 1);
  if (length < 0 || length >= (int64_t)sizeof text) return;
  text[length] = 0;
  Game stored = *game;
  if (sscanf(text, "%d %d %g %g %g %g %g", &stored.hits, &stored.misses, &stored.x, &stored.y, &stored.dx, &stored.dy,
             &stored.paddle) == 7)
    *game = stored;
}

static void show_score(const Game *game) {
  char title[80];
  snprintf(title, sizeof title, "%d hits, %d misses", game->hits, game->misses);
  SDL_SetWindowTitle(game->window, title);
  psc_scene_set_title(game->scene, title);
}

/* ---- A frame ---- */

static void step(Game *game) {
  int width, height;
  SDL_GetWindowSize(game->window, &width, &height);
  const Uint8 *keys = SDL_GetKeyboardState(NULL);
  game->paddle += 8.0f * (keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT]);
  game->paddle = SDL_clamp(game->paddle, 0.0f, (float)width);
  game->x += game->dx;
  game->y += game->dy;
  if (game->x < RADIUS) game->dx = SDL_fabsf(game->dx);
  if (game->x > width - RADIUS) game->dx = -SDL_fabsf(game->dx);
  if (game->y < RADIUS) game->dy = SDL_fabsf(game->dy);
  game->needs_drawing = 1;
  if (game->dy < 0 || game->y < height - PADDLE_HEIGHT - RADIUS) return;
  if (SDL_fabsf(game->x - game->paddle) < PADDLE_WIDTH / 2 + RADIUS) {
    game->hits++;
    game->dy = -SDL_fabsf(game->dy);
  } else {
    game->misses++;
    game->y = RADIUS;
  }
  show_score(game);
  psc_scene_invalidate_state(game->scene);
}

static void draw(Game *game) {
  if (!game->needs_drawing || !game->ball) return;
  game->needs_drawing = 0;
  SDL_Renderer *renderer = game->renderer;
  int width, height;
  SDL_GetRendererOutputSize(renderer, &width, &height);
  SDL_SetRenderDrawColor(renderer, 16, 24, 40, 255);
  SDL_RenderClear(renderer);
  SDL_SetRenderDrawColor(renderer, 230, 230, 230, 255);
  SDL_FRect paddle = {game->paddle - PADDLE_WIDTH / 2, (float)(height - PADDLE_HEIGHT), PADDLE_WIDTH, PADDLE_HEIGHT};
  SDL_RenderFillRectF(renderer, &paddle);
  SDL_FRect ball = {game->x - RADIUS, game->y - RADIUS, 2 * RADIUS, 2 * RADIUS};
  SDL_RenderCopyF(renderer, game->ball, NULL, &ball);
  if (!game->is_active) {
    /* Paused: two bars. */
    SDL_SetRenderDrawColor(renderer, 224, 160, 48, 255);
    for (int side = -1; side <= 1; side += 2) {
      SDL_Rect bar = {width / 2 + side * 20 - 8, height / 2 - 32, 16, 64};
      SDL_RenderFillRect(renderer, &bar);
    }
  }
  SDL_RenderPresent(renderer);
}

static SDL_Texture *make_ball(SDL_Renderer *renderer) {
  enum { SIDE = 4 * RADIUS };
  static Uint32 pixels[SIDE * SIDE];
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int dx = 2 * x - SIDE + 1, dy = 2 * y - SIDE + 1;
      pixels[y * SIDE + x] = dx * dx + dy * dy < SIDE * SIDE ? 0xFF5FB878u : 0;
    }
  SDL_Texture *texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, SIDE, SIDE);
  if (!texture) return NULL;
  SDL_UpdateTexture(texture, NULL, pixels, SIDE * sizeof *pixels);
  SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
  return texture;
}

/* ---- The life cycle ---- */

static void did_finish_launching(void *data) {
  (void)data;
  if (adapter_start() != 0) {
    report("SDL does not start", SDL_GetError());
    psc_terminate(1);
    return;
  }
  /* The first scene comes by itself, and so do all that were open. */
  if (psc_session_list(NULL, 0) > 0) return;
  for (int count = 1; count < wanted_scenes; count++) psc_session_activate(0, NULL, NULL);
}

static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
  (void)data;
  /* Beside the last one; one that comes back goes to its own place. */
  int offset = games ? games->offset + 60 : 60;
  SDL_Window *window = SDL_CreateWindow("", offset, offset, 400, 300, SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE);
  SDL_Renderer *renderer = window ? SDL_CreateRenderer(window, -1, 0) : NULL;
  if (!renderer) {
    report("no window", SDL_GetError());
    if (window) SDL_DestroyWindow(window);
    psc_terminate(1);
    return;
  }
  if (adapter_adopt(scene, window) != PSC_OK) {
    report("not adopted", psc_error_message());
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    psc_terminate(1);
    return;
  }
  Game *game = SDL_calloc(1, sizeof *game);
  if (!game) abort();
  *game = (Game){.next = games, .scene = scene, .window = window, .renderer = renderer, .offset = offset,
                 .x = 200, .y = 60, .dx = 2.5f, .dy = 3.5f, .paddle = 200};
  games = game;
  psc_scene_set_data(scene, game);
  restore(game, connection->session);
  show_score(game);
  SDL_ShowWindow(window);
}

static void will_enter_foreground(void *data, psc_scene scene) {
  (void)data;
  Game *game = psc_scene_data(scene);
  if (!game) return;
  game->ball = make_ball(game->renderer);
  game->needs_drawing = 1;
}

static void did_become_active(void *data, psc_scene scene) {
  (void)data;
  Game *game = psc_scene_data(scene);
  if (game) game->is_active = game->needs_drawing = 1;
}

static void will_resign_active(void *data, psc_scene scene) {
  (void)data;
  Game *game = psc_scene_data(scene);
  if (!game) return;
  game->is_active = 0;
  game->needs_drawing = 1;
  /* The ball and the paddle, which move in each frame, are worth storing now that they rest. */
  psc_scene_invalidate_state(scene);
}

static void did_enter_background(void *data, psc_scene scene) {
  (void)data;
  Game *game = psc_scene_data(scene);
  if (!game || !game->ball) return;
  SDL_DestroyTexture(game->ball);
  game->ball = NULL;
}

static void did_disconnect(void *data, psc_scene scene) {
  (void)data;
  Game *gone = psc_scene_data(scene);
  for (Game **link = &games; *link; link = &(*link)->next)
    if (*link == gone) {
      *link = gone->next;
      SDL_free(gone);
      return;
    }
}

static void request_failed(void *data, const char *message) {
  (void)data;
  report("a request has failed", message);
}

/* ---- The loop ---- */

static void handle(const SDL_Event *event) {
  adapter_handle(event);
  switch (event->type) {
    case SDL_WINDOWEVENT: {
      Game *game = game_of(SDL_GetWindowFromID(event->window.windowID));
      Uint8 what = event->window.event;
      if (game && (what == SDL_WINDOWEVENT_EXPOSED || what == SDL_WINDOWEVENT_SIZE_CHANGED)) game->needs_drawing = 1;
      break;
    }
    case SDL_MOUSEMOTION: {
      Game *game = game_of(SDL_GetWindowFromID(event->motion.windowID));
      if (game && game->is_active) game->paddle = (float)event->motion.x;
      break;
    }
    case SDL_KEYDOWN:
      if (event->key.keysym.sym == SDLK_n) psc_session_activate(0, NULL, NULL);
      if (event->key.keysym.sym == SDLK_q) psc_terminate(0);
      break;
  }
}

static int run(void) {
  const Uint64 frame = SDL_GetPerformanceFrequency() / FRAMES_PER_SECOND;
  Uint64 due = 0;
  while (psc_turn() == PSC_OK) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) handle(&event);
    int runs = 0;
    for (Game *game = games; game; game = game->next) {
      if (game->is_active) {
        runs = 1;
        step(game);
      }
      draw(game);
    }
    if (!runs) {
      adapter_wait();
      continue;
    }
    Uint64 now = SDL_GetPerformanceCounter();
    /* After a pause, and where frames come too late. */
    due = due + frame < now ? now : due + frame;
    if (due > now) SDL_Delay((Uint32)((due - now) * 1000 / SDL_GetPerformanceFrequency()));
  }
  return psc_exit_status();
}

int main(int argc, char **argv) {
  for (int index = 1; index + 1 < argc; index++)
    if (strcmp(argv[index], "--scenes") == 0) wanted_scenes = atoi(argv[index + 1]);
  const psc_application application = {
      .size = sizeof application,
      .identifier = "org.proscenium.SDLGame",
      .did_finish_launching = did_finish_launching,
      .request_failed = request_failed,
      .scene_will_connect = will_connect,
      .scene_will_enter_foreground = will_enter_foreground,
      .scene_did_become_active = did_become_active,
      .scene_will_resign_active = will_resign_active,
      .scene_did_enter_background = did_enter_background,
      .scene_did_disconnect = did_disconnect,
      .scene_save_state = save_state,
  };
  int status = psc_attach(&application, argc, argv);
  if (status == PSC_ENDED) return psc_exit_status();
  if (status != PSC_OK) {
    report("not launched", psc_error_message());
    return 1;
  }
  status = run();
  SDL_Quit();
  return status;
}
