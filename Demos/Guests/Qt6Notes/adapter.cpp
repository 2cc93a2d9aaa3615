#include "adapter.h"

#include <QCloseEvent>
#include <QGuiApplication>
#include <QSocketNotifier>

void adapterPrepare() {
  // Wayland's windows are refused: X11, which Wayland desktops have, too, unless the user has chosen.
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  // The log-out is Proscenium's, which has read this: Qt would close the windows then, and with them their sessions.
  qunsetenv("SESSION_MANAGER");
}

// ---- Windows ----

uint32_t adapterXID(QWidget *window) {
  // Elsewhere winId() is a number, too, and none of X11.
  return QGuiApplication::platformName() == "xcb" ? uint32_t(window->winId()) : 0;
}

namespace {

// Found by its identifier, not kept: the program may have deleted a window without asking, and then there is none.
void setHidden(void *, uint32_t xid, int isHidden) {
  if (QWidget *window = QWidget::find(xid)) window->setVisible(!isHidden);
}

void destroy(void *, uint32_t xid) { delete QWidget::find(xid); }

// Qt alone hears of the close button.
class CloseFilter : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject *object, QEvent *event) override {
    if (event->type() != QEvent::Close) return false;
    // Ignored: Qt closes nothing by itself, because the scene decides.
    event->ignore();
    psc_window_perform_close(adapterXID(static_cast<QWidget *>(object)));
    return true;
  }
};

}  // namespace

int adapterAdopt(psc_scene scene, QWidget *window) {
  psc_window_owner owner{};
  owner.size = sizeof owner;
  owner.set_hidden = setHidden;
  owner.destroy = destroy;
  // winId() makes the X window: it is adopted before it is shown, to come back where it was.
  int status = psc_window_adopt(scene, adapterXID(window), &owner);
  if (status == PSC_OK) window->installEventFilter(new CloseFilter(window));
  return status;
}

// ---- The loop ----

int adapterRun() {
  // The program's end is Proscenium's, which a hidden or disconnected last window is not.
  QGuiApplication::setQuitOnLastWindowClosed(false);
  // The descriptor is readable when a time is over, too: no timer is needed beside it.
  QSocketNotifier due(psc_descriptor(), QSocketNotifier::Read);
  QObject::connect(&due, &QSocketNotifier::activated, [] {
    // quit() asks the windows to close first, which their owner answers with no.
    if (psc_turn() != PSC_OK) QCoreApplication::exit();
  });
  QCoreApplication::exec();
  return psc_exit_status();
}
