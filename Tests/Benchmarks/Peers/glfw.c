/* The measure in GLFW without GL, whose drivers would be most of a launch: the colour is the X window's background.
   Xlib sets it and the place before the window is shown; glfwSetWindowPos would wait for the server. */
#define GLFW_EXPOSE_NATIVE_X11
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>
#include <stdlib.h>
#include "peer.h"
#include "xlib.h"

static void answer_on(GLFWwindow *window, enum answer which) {
  answer(glfwGetX11Display(), glfwGetX11Window(window), which);
}

static void focus_changed(GLFWwindow *window, int is_focused) {
  if (is_focused)
    answer_on(window, ACTIVE);
}

static void iconified(GLFWwindow *window, int is_iconified) { answer_on(window, is_iconified ? HIDDEN : SHOWN); }

static GLFWwindow *create(int i) {
  GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "peer", NULL, NULL);
  if (!window)
    exit(1);
  glfwSetWindowFocusCallback(window, focus_changed);
  glfwSetWindowIconifyCallback(window, iconified);
  XSetWindowBackground(glfwGetX11Display(), glfwGetX11Window(window), COLOR);
  XMoveWindow(glfwGetX11Display(), glfwGetX11Window(window), PLACE_X(i), PLACE_Y(i));
  glfwShowWindow(window);
  return window;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1, alive = count, stays = getenv("XB_STAY") != NULL;
  GLFWwindow **windows = calloc(count, sizeof *windows);
  if (!windows || !glfwInit())
    return 1;
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  for (int i = 0; i < count; i++)
    windows[i] = create(i);
  while (alive || stays) {
    glfwWaitEvents();
    for (int i = 0; i < count; i++)
      if (windows[i] && glfwWindowShouldClose(windows[i])) {
        glfwDestroyWindow(windows[i]);
        windows[i] = NULL;
        alive--;
      }
  }
  glfwTerminate();
  return 0;
}
