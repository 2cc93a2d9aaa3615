/* The measure in FLTK, which draws with Xlib: an Fl_Window in its own colour and nothing in it. */
#include <FL/Fl.H>
#include <FL/Fl_Window.H>
#include <FL/x.H>
#include <cstdlib>
#include "peer.h"
#include "xlib.h"

static int alive;

class PeerWindow : public Fl_Window {
  void answerOn(enum answer which) {
    if (shown())
      answer(fl_display, fl_xid(this), which);
  }

  int handle(int event) override {
    int isHandled = Fl_Window::handle(event);
    if (event == FL_FOCUS)
      answerOn(ACTIVE);
    else if (event == FL_HIDE)
      answerOn(HIDDEN);
    else if (event == FL_SHOW)
      answerOn(SHOWN);
    /* Who wants the keyboard must say so. */
    return isHandled || event == FL_FOCUS || event == FL_UNFOCUS;
  }

public:
  PeerWindow(int x, int y) : Fl_Window(x, y, WIDTH, HEIGHT, "peer") {
    end();
    color(fl_rgb_color(COLOR >> 16, COLOR >> 8 & 255, COLOR & 255));
  }
};

static void closed(Fl_Widget *window, void *) {
  window->hide();
  Fl::delete_widget(window);
  alive--;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  bool stays = getenv("XB_STAY") != nullptr;
  alive = count;
  Fl::visual(FL_RGB);
  for (int i = 0; i < count; i++) {
    PeerWindow *window = new PeerWindow(PLACE_X(i), PLACE_Y(i));
    window->callback(closed);
    window->show();
  }
  while (alive || stays)
    Fl::wait(1e20);
  return 0;
}
