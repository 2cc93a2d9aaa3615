/* The measure in Qt 6: QRasterWindow, which has no widgets, no style and no GL. */
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtGui/QRasterWindow>
#include <cstdlib>
#include "peer.h"
#include "xlib.h"

/* Xlib's names for numbers, which are Qt's too. */
#undef FocusIn

static int alive;
static bool stays;

class PeerWindow : public QRasterWindow {
  bool isMinimized = false;

  void answerOn(enum answer which) {
    answer(qGuiApp->nativeInterface<QNativeInterface::QX11Application>()->display(), winId(), which);
  }

  void paintEvent(QPaintEvent *) override {
    QPainter painter(this);
    painter.fillRect(0, 0, width(), height(), QColor(QRgb(COLOR)));
  }

  void stateChanged() {
    bool minimized = windowStates() & Qt::WindowMinimized;
    if (minimized != isMinimized)
      answerOn(minimized ? HIDDEN : SHOWN);
    isMinimized = minimized;
  }

  void closed() {
    deleteLater();
    if (--alive == 0 && !stays)
      qGuiApp->quit();
  }

  bool event(QEvent *event) override {
    bool isHandled = QRasterWindow::event(event);
    if (event->type() == QEvent::FocusIn)
      answerOn(ACTIVE);
    else if (event->type() == QEvent::WindowStateChange)
      stateChanged();
    else if (event->type() == QEvent::Close)
      closed();
    return isHandled;
  }
};

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  alive = count;
  stays = getenv("XB_STAY") != nullptr;
  QGuiApplication application(argc, argv);
  application.setQuitOnLastWindowClosed(false);
  for (int i = 0; i < count; i++) {
    PeerWindow *window = new PeerWindow;
    window->setTitle("peer");
    window->setGeometry(PLACE_X(i), PLACE_Y(i), WIDTH, HEIGHT);
    window->show();
  }
  return application.exec();
}
