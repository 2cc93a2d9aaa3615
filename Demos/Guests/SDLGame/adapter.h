/* Proscenium in a program of SDL 2, whose loop is its own: windows, and a wait without a frame.
 * adapter.c says why they are as they are. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <SDL.h>
#include <proscenium.h>

/* Starts SDL's video; call it in did_finish_launching. Returns 0, or a negative number: SDL_GetError() says why. */
int adapter_start(void);

/* Makes a window that was created with SDL_WINDOW_HIDDEN one of a scene; call it in scene_will_connect, then
 * SDL_ShowWindow(). Returns what psc_window_adopt() does: where it is negative psc_error_message() says what to do. */
int adapter_adopt(psc_scene scene, SDL_Window *window);

/* To be called with each event, before the program looks at it. */
void adapter_handle(const SDL_Event *event);

/* Waits until SDL has an event, or a turn is due, for programs that draw nothing at present: it takes no time of the
 * processor. A program that draws calls psc_turn() in each frame instead. */
void adapter_wait(void);

#endif
