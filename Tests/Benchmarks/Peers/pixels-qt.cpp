/* The same in Qt 6, with a widget that paints itself (the raster engine). See pixels.h. */
#include "pixels.h"
#include <QtGui/QPainter>
#include <QtGui/QPaintEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

class Window : public QWidget {
  int presses = 0;
  static QRect square() { return QRect(SQUARE_X, SQUARE_Y, SQUARE_SIDE, SQUARE_SIDE); }

  void keyPressEvent(QKeyEvent *) override {
    presses++;
    update(square());
  }

  void paintEvent(QPaintEvent *event) override {
    QPainter painter(this);
    if (!square().contains(event->rect()))
      painter.fillRect(event->rect(), QColor(QRgb(BACKGROUND)));
    painter.fillRect(square(), QColor(QRgb(presses % 2 ? SECOND_COLOR : FIRST_COLOR)));
    painter.fillRect(width() - MARK_SIDE, height() - MARK_SIDE, MARK_SIDE, MARK_SIDE, QColor(QRgb(FIRST_COLOR)));
  }

public:
  Window() {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setWindowFlags(Qt::FramelessWindowHint);
    setGeometry(0, 0, PIXELS_WIDTH, PIXELS_HEIGHT);
  }
};

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  Window window;
  window.show();
  return application.exec();
}
