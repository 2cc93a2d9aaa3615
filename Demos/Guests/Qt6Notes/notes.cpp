// Notes of Qt 6. Each window is a scene, whose session has the text and the cursor: both are back after any end,
// kill -9 included.
//
//     c++ -fPIC *.cpp $(pkg-config --cflags --libs Qt6Widgets proscenium)
//
// --scenes N opens N windows at the first launch. Ctrl-N new note, Ctrl-O open, Ctrl-S save, Ctrl-W close, Ctrl-Q quit.
// A window's title is the first line of its text. What has not been saved to a file is in the session all the same.
#include <QApplication>
#include <QByteArray>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSaveFile>
#include <QShortcut>
#include <QStringDecoder>
#include <QTextBlock>
#include <QTextStream>
#include <QUrl>
#include <optional>

#include "adapter.h"

namespace {

// The program: the data of its callbacks.
struct Program {
  int argc;
  char **argv;
  std::optional<QApplication> qt;
};

void report(const QString &what) { QTextStream(stderr) << "Qt6Notes: " << what << '\n'; }
void reportError(const QString &what) { report(what + ": " + QString::fromUtf8(psc_error_message())); }

// A window with a text.
class Note : public QPlainTextEdit {
 public:
  explicit Note(psc_scene scene) : scene(scene) {
    resize(360, 260);
    addShortcut(QKeySequence::New, [] { psc_session_activate(0, nullptr, nullptr); });
    addShortcut(QKeySequence::Open, [this] { chooseFile(QFileDialog::AcceptOpen); });
    addShortcut(QKeySequence::Save, [this] {
      if (file.isEmpty()) chooseFile(QFileDialog::AcceptSave);
      else useFile(file, true);
    });
    addShortcut(QKeySequence::Close, [this] { psc_window_perform_close(adapterXID(this)); });
    addShortcut(QKeySequence::Quit, [] { psc_terminate(0); });
  }

  // The state: the cursor's place, the file's URL, the end of the file's lines, the text.
  QByteArray state() const {
    const QByteArray url = file.isEmpty() ? QByteArray() : QUrl::fromLocalFile(file).toEncoded();
    return QByteArray::number(textCursor().position()) + ' ' + url + lineEnd + text().toUtf8();
  }

  void saveState(psc_session session) {
    const QByteArray state = this->state();
    const bool wasTooLong = isTooLong;
    isTooLong = psc_session_set_state(session, state.constData(), size_t(state.size())) != PSC_OK;
    if (isTooLong && !wasTooLong)
      showError("The window is not kept as it is now: " + QString::fromUtf8(psc_error_message()));
  }

  void restore(psc_session session) {
    int64_t length = psc_session_state(session, nullptr, 0);
    if (length >= 0) {
      QByteArray state(qsizetype(length), 0);
      psc_session_state(session, state.data(), size_t(length));
      qsizetype end = state.indexOf('\n');
      // Decoded as a whole: a byte order mark at the beginning of the text stays.
      setPlainText(QString::fromUtf8(state).section('\n', 1));
      QTextCursor cursor = textCursor();
      const QList<QByteArray> head = state.left(end).split(' ');
      cursor.setPosition(qBound(0, head[0].toInt(), document()->characterCount() - 1));
      setTextCursor(cursor);
      if (state.left(end).endsWith('\r')) lineEnd = "\r\n";
      file = QUrl::fromEncoded(head.value(1).trimmed()).toLocalFile();
    }
    showTitle();
    // Only now: what is restored has not changed.
    connect(this, &QPlainTextEdit::textChanged, [this] { changed(); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, [this] { changed(); });
  }

 private:
  const psc_scene scene;
  // Where the text is saved; empty until it has been chosen.
  QString file;
  QByteArray lineEnd = "\n";
  // Whether the user knows that the text is too long for the session.
  bool isTooLong = false;

  // The longest text that is opened: the session keeps the cursor and the file's URL with it.
  static constexpr qint64 mostText = PSC_MOST_STATE - (1 << 16);

  // Not toPlainText(), which makes spaces of no-break spaces.
  QString text() const {
    QString text = document()->toRawText();
    return text.replace(QChar::ParagraphSeparator, '\n').replace(QChar::LineSeparator, '\n');
  }

  // To the user, and to who has started the program.
  void showError(const QString &message) {
    report(message);
    QMessageBox *box = new QMessageBox(QMessageBox::Warning, "Error", message, QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
  }

  // The dialog goes with its note, and is not adopted: it is no scene's. It waits in no loop of its own.
  void chooseFile(QFileDialog::AcceptMode mode) {
    QFileDialog *dialog = new QFileDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(mode);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, mode](const QString &path) { useFile(path, mode == QFileDialog::AcceptSave); });
    dialog->open();
  }

  // Takes a file where it can be written, or read and is a text.
  void useFile(const QString &path, bool writes) {
    if (QString error = writes ? write(path) : read(path); !error.isEmpty()) return showError(path + ": " + error);
    file = path;
    changed();
  }

  QString write(const QString &path) {
    QSaveFile saved(path);
    if (!saved.open(QFile::WriteOnly)) return saved.errorString();
    saved.write(text().replace('\n', lineEnd).toUtf8());
    return saved.commit() ? QString() : saved.errorString();
  }

  QString read(const QString &path) {
    // A pipe would keep all notes waiting for the one that writes into it.
    if (QFileInfo info(path); info.exists() && !info.isFile()) return "It is not a regular file.";
    QFile opened(path);
    if (!opened.open(QFile::ReadOnly)) return opened.errorString();
    using Flag = QStringDecoder::Flag;
    QStringDecoder decoder(QStringDecoder::Utf8, Flag::Stateless | Flag::ConvertInitialBom);
    const QByteArray bytes = opened.read(mostText + 1);
    if (opened.error() != QFile::NoError) return opened.errorString();
    if (bytes.size() > mostText) return "The file is longer than 8 MB, which is what a window keeps.";
    QString text = decoder(bytes);
    if (decoder.hasError()) return "The file is not a text in UTF-8.";
    const bool hasReturns = text.contains("\r\n");
    // Qt makes one kind of paragraph of all of these.
    static const QRegularExpression others("[\\r\\x{2028}\\x{2029}\\x{FDD0}\\x{FDD1}]");
    if ((hasReturns && QString(text).remove("\r\n").contains('\n')) || text.replace("\r\n", "\n").contains(others))
      return "The lines of the file end in several ways, of which a note keeps one.";
    lineEnd = hasReturns ? "\r\n" : "\n";
    // In one step, which can be undone.
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(text);
    return QString();
  }

  template <typename Action>
  void addShortcut(QKeySequence::StandardKey key, Action action) {
    connect(new QShortcut(key, this), &QShortcut::activated, action);
  }

  void showTitle() {
    // Window managers draw all of it, and take seconds for a line of a megabyte.
    const QString line = document()->firstBlock().text().left(80);
    setWindowTitle(line.isEmpty() ? "Note" : line);
    psc_scene_set_title(scene, windowTitle().toUtf8().constData());
  }

  void changed() {
    showTitle();
    psc_scene_invalidate_state(scene);
  }
};

// ---- The life cycle ----

void didFinishLaunching(void *data) {
  Program &program = *static_cast<Program *>(data);
  adapterPrepare();
  // Not before: a second start of the program has sent its request to the first by now, and needs no Qt.
  program.qt.emplace(program.argc, program.argv);
  // The first scene comes by itself, and so do all that were open.
  if (psc_session_list(nullptr, 0) > 0) return;
  const QStringList arguments = QCoreApplication::arguments();
  const int wanted = arguments.value(arguments.indexOf("--scenes") + 1).toInt();
  for (int count = 1; count < wanted; count++) psc_session_activate(0, nullptr, nullptr);
}

void willConnect(void *, psc_scene scene, const psc_connection *connection) {
  Note *note = new Note(scene);
  if (adapterAdopt(scene, note) != PSC_OK) {
    reportError("not adopted");
    delete note;
    psc_terminate(1);
    return;
  }
  psc_scene_set_data(scene, note);
  note->restore(connection->session);
  note->show();
}

void saveState(void *, psc_scene scene) {
  if (Note *note = static_cast<Note *>(psc_scene_data(scene))) note->saveState(psc_scene_session(scene));
}

}  // namespace

int main(int argc, char **argv) {
  Program program{argc, argv, {}};
  psc_application application{};
  application.size = sizeof application;
  application.identifier = "org.proscenium.Qt6Notes";
  application.data = &program;
  application.did_finish_launching = didFinishLaunching;
  application.request_failed = [](void *, const char *message) { report(QString::fromUtf8(message)); };
  application.scene_will_connect = willConnect;
  application.scene_save_state = saveState;
  int status = psc_attach(&application, argc, argv);
  if (status == PSC_ENDED) return psc_exit_status();
  if (status != PSC_OK) {
    reportError("not launched");
    return 1;
  }
  return adapterRun();
}
