/* proscenium.h: scenes, sessions and restoration for programs in C, and in whatever calls C.
 *
 * A program keeps its toolkit and its loop. It attaches an application once, adopts a window of its toolkit for
 * each scene that connects, and calls psc_turn() while psc_descriptor() is readable:
 *
 *     static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
 *       GtkWidget *window = make_window();              // realized, not shown yet
 *       psc_window_owner owner = {.size = sizeof owner, .data = window, .set_hidden = set_hidden, .destroy = destroy};
 *       psc_window_adopt(scene, xid_of(window), &owner);
 *       gtk_widget_show(window);
 *     }
 *
 *     psc_application application = {.size = sizeof application, .identifier = "org.example.Editor",
 *                                    .scene_will_connect = will_connect};
 *     int status = psc_attach(&application, argc, argv);
 *     if (status == PSC_ENDED) return psc_exit_status();
 *     if (status != PSC_OK) { fprintf(stderr, "%s\n", psc_error_message()); return 1; }
 *
 * Threads: every function is called on the main thread, the one in which main() began, unless it says "any
 * thread". On another thread it does nothing and fails with PSC_ERROR_THREAD. Callbacks come on the main thread,
 * within psc_attach() and psc_turn(). A callback may call every function; psc_turn() does nothing there, and
 * psc_descriptor() and psc_time_to_next_turn() fail until psc_attach() has returned. No C++ exception and no
 * longjmp() may leave a callback.
 *
 * Ownership: what is passed to a function is copied before it returns, and what a callback gets is valid until it
 * returns. Nothing has to be freed. Texts are UTF-8 and end with NUL.
 *
 * Handles are numbers. They are not used again: one whose object is gone fails with PSC_ERROR_GONE.
 *
 * Errors: a function that fails returns a negative number, or 0 where it returns a handle, or NULL;
 * psc_error_message() says what happened and what to do. A null pointer where one is needed, a call in the wrong
 * order and a handle of something that is gone are errors, never undefined. A struct begins with its size, sizeof
 * of the struct that the program was compiled with, so that later versions of the library can add to it; what a
 * program does not set is zero. A field that is set, and that an older library does not know, is an error. A buffer
 * may be NULL where its capacity is 0: then only the length is returned.
 *
 * What standard error tells has the names of this header. The trace and the reports of the watchdog have Swift's
 * names of the callbacks: sceneDidEnterBackground(_:) is scene_did_enter_background.
 */
#ifndef PROSCENIUM_H
#define PROSCENIUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return. */
enum {
  PSC_OK = 0,
  /* psc_attach(): nothing is left to run, exit with psc_exit_status(). psc_turn(): the application has ended. */
  PSC_ENDED = 1,
  /* Called on another thread than the main one. */
  PSC_ERROR_THREAD = -1,
  /* An argument is null, not UTF-8, not JSON, too small or otherwise impossible. */
  PSC_ERROR_ARGUMENT = -2,
  /* Called too early, twice, or after the end. */
  PSC_ERROR_STATE = -3,
  /* The scene, session or window does not exist any more, or never has. */
  PSC_ERROR_GONE = -4,
  /* The window is not an X11 window: start the program with GDK_BACKEND=x11, QT_QPA_PLATFORM=xcb or
   * SDL_VIDEODRIVER=x11. */
  PSC_ERROR_NOT_X11 = -5,
  /* The kernel or the window system refuses: no descriptors, no display. */
  PSC_ERROR_SYSTEM = -6,
  /* Nothing is stored. */
  PSC_ERROR_NOTHING = -7
};

/* No limit, in nanoseconds. */
#define PSC_NEVER INT64_MAX

/* A connected scene, from scene_will_connect to scene_did_disconnect; 0 for none. */
typedef uint64_t psc_scene;
/* The durable identity of a scene, which outlives scenes and processes; the number is of this process; 0 for none. */
typedef uint64_t psc_session;
/* A background task; 0 for none. */
typedef uint64_t psc_task;

/* The states of a scene. */
enum {
  PSC_SCENE_UNATTACHED = 0,
  PSC_SCENE_BACKGROUND = 1,
  PSC_SCENE_FOREGROUND_INACTIVE = 2,
  PSC_SCENE_FOREGROUND_ACTIVE = 3
};

/* Answers to scene_should_close and should_terminate; every other number is PSC_REPLY_NOW. */
enum {
  PSC_REPLY_NOW = 0,
  PSC_REPLY_CANCEL = 1,
  /* psc_scene_reply_to_should_close() or psc_reply_to_should_terminate() follows. */
  PSC_REPLY_LATER = 2
};

/* Why a session connects. */
enum {
  /* The program was launched, and nothing was restored. */
  PSC_REASON_LAUNCH = 0,
  /* The last run ended in order with scenes open. */
  PSC_REASON_RESTORE = 1,
  /* The last run died. */
  PSC_REASON_RECOVER = 2
};

/* What a scene is connected with. */
typedef struct psc_connection {
  size_t size;
  psc_session session;
  /* Whether the session has been connected before, and may have state to restore. */
  int is_reconnect;
  int reason;
  /* URLs to open in the scene. */
  size_t url_count;
  const char *const *urls;
  /* The activity to continue, with its values as a JSON object; both NULL for none. A shortcut item of the manifest
   * that a launcher asks for is one: of its type, with its values. */
  const char *activity_type;
  const char *activity_json;
} psc_connection;

/* The application: who it is, and its callbacks, each of which may be NULL; what other programs ask for is lost without
 * its callback, and standard error tells. `data` is passed to all of them. */
typedef struct psc_application {
  size_t size;
  /* The application's id in reverse domain notation, under which its sessions are kept. Needed. It names a directory:
   * at most 200 bytes, no slash, not "." or "..", else psc_attach() fails with PSC_ERROR_ARGUMENT. */
  const char *identifier;
  /* Further properties, as the text of a JSON object: those of a manifest's file (article "Manifest file"), such as
   * {"supportsMultipleScenes": false}. The scene configuration is named "Main". NULL for none. */
  const char *manifest;
  void *data;

  /* The launch is over; scenes connect from now on. psc_session_list() has those that come back. */
  void (*did_finish_launching)(void *data);
  /* Another start of the program has sent its command line, without the program's name, to this one. */
  void (*did_receive_second_launch)(void *data, int argc, const char *const *argv, const char *directory);
  /* Memory is short: free what can be made again. At most every ten seconds. */
  void (*did_receive_memory_warning)(void *data);
  /* A session is gone for good: its scene was closed. Its number is valid until the callback returns. */
  void (*did_discard_session)(void *data, psc_session session);
  /* The program is asked to end, by the user's log-out or psc_terminate(): PSC_REPLY_NOW where NULL. */
  int (*should_terminate)(void *data);
  /* Whether the program ends with its last scene: it does where NULL. */
  int (*should_terminate_after_last_scene_closed)(void *data);
  /* The last callback. Ten seconds after it has been called the process ends, whatever it still does: what may take
   * longer is done before, in a psc_task, which the end waits for. */
  void (*will_terminate)(void *data);
  /* A request of psc_session_activate(), psc_session_destroy(), psc_session_disconnect() or psc_window_minimize() has
   * failed. Where NULL, standard error tells. */
  void (*request_failed)(void *data, const char *message);

  /* The scene is about to have a window: adopt it here. */
  void (*scene_will_connect)(void *data, psc_scene scene, const psc_connection *connection);
  void (*scene_will_enter_foreground)(void *data, psc_scene scene);
  void (*scene_did_become_active)(void *data, psc_scene scene);
  void (*scene_will_resign_active)(void *data, psc_scene scene);
  /* The scene is not seen any more: free what it draws with. */
  void (*scene_did_enter_background)(void *data, psc_scene scene);
  /* The scene is gone, and its session stays, unless did_discard_session follows. The owner's destroy() follows. */
  void (*scene_did_disconnect)(void *data, psc_scene scene);
  /* The user closes the scene: PSC_REPLY_NOW where NULL. */
  int (*scene_should_close)(void *data, psc_scene scene);
  /* The state is about to be stored: call psc_session_set_state() where it has changed. */
  void (*scene_save_state)(void *data, psc_scene scene);
  /* URLs to open in a scene that is connected already. */
  void (*scene_open_urls)(void *data, psc_scene scene, size_t count, const char *const *urls);
  /* An activity to continue, or a shortcut item, in a scene that is connected already, with its values as a JSON
   * object. */
  void (*scene_continue_activity)(void *data, psc_scene scene, const char *type, const char *json);
} psc_application;

/* What went wrong in the last call of this thread that failed, as a sentence that says what to do; "" for nothing.
 * Valid until the next call that fails. Any thread. */
const char *psc_error_message(void);

/* The version of the library, such as "0.1.0". Any thread. */
const char *psc_version(void);

/* ---- The application ---- */

/* Launches the application in the program's loop. Once in a process, before it makes threads. SIGINT, SIGTERM and
 * SIGHUP end the application in order from now on, and SIGPIPE, where the program has no handler of its own, is an
 * error of the write (EPIPE). argv[0] is the program's name; the options of Proscenium among
 * the arguments are those of every Proscenium program. The launch is over when it returns: where the bus has started
 * the program it waits for the request, until 50 ms after the program has its name, 25 s where it does not get it.
 * Returns PSC_OK; PSC_ENDED where another process of the program has taken the request over, the command line was
 * served, or the program has ended while it waited; PSC_ERROR_ARGUMENT where the description or an argument is
 * impossible, after which it can be called again; PSC_ERROR_SYSTEM where the display does not answer, which standard
 * error tells. */
int psc_attach(const psc_application *application, int argc, char *const *argv);

/* A descriptor that is readable (POLLIN) while a turn is due. The library's: do not read or close it. */
int psc_descriptor(void);

/* The nanoseconds until a turn is due though nothing comes; 0 for now, PSC_NEVER for never. For loops that compute
 * the time of their wait; the descriptor is readable then, too. */
int64_t psc_time_to_next_turn(void);

/* Delivers what has come, and does not wait. Returns PSC_OK, or PSC_ENDED once the application has ended: leave
 * the loop, and exit with psc_exit_status(). Within a callback it does nothing. */
int psc_turn(void);

/* The status to exit with; PSC_ERROR_STATE while the application runs. */
int psc_exit_status(void);

/* Ends the application in order, with a status from 0 to 255: scenes to the background, disconnected, then
 * will_terminate. */
int psc_terminate(int status);

/* Answers a should_terminate that returned PSC_REPLY_LATER; does nothing where no answer is expected. */
int psc_reply_to_should_terminate(int terminates);

/* ---- Scenes ---- */

/* The state: PSC_SCENE_BACKGROUND and so on. */
int psc_scene_state(psc_scene scene);

psc_session psc_scene_session(psc_scene scene);

/* A pointer of the program's with the scene, until scene_did_disconnect has returned; NULL at first. */
int psc_scene_set_data(psc_scene scene, void *data);
void *psc_scene_data(psc_scene scene);

/* The name of the scene for the user, where the system lists scenes, and of the icon as which a scene comes back that
 * was minimised, whose window is not there yet: set it with the window's title, which is the toolkit's. NULL for
 * none. */
int psc_scene_set_title(psc_scene scene, const char *title);

/* The state has changed: scene_save_state is called within a second, at most once a second. */
int psc_scene_invalidate_state(psc_scene scene);

/* Answers a scene_should_close that returned PSC_REPLY_LATER; does nothing where no answer is expected. */
int psc_scene_reply_to_should_close(psc_scene scene, int closes);

/* ---- Sessions ---- */

/* Writes up to `capacity` open sessions, connected and disconnected ones, and returns how many there are. */
int64_t psc_session_list(psc_session *sessions, size_t capacity);

/* The scene of a session; 0 while it is disconnected. */
psc_scene psc_session_scene(psc_session session);

/* Writes the session's permanent identifier with its NUL, as much as fits, and returns its length without the NUL. */
int64_t psc_session_identifier(psc_session session, char *buffer, size_t capacity);

/* The most bytes that are kept as a session's state, and as the text of a JSON object. */
#define PSC_MOST_STATE 8388608
#define PSC_MOST_JSON 1048576

/* Stores the state of a session, whatever bytes; NULL with a length of 0 removes it. Kept over crashes and log-outs. At
 * any time, also while the session is disconnected. PSC_ERROR_ARGUMENT where it has more than PSC_MOST_STATE. */
int psc_session_set_state(psc_session session, const void *bytes, size_t length);

/* Writes the stored state, as much as fits, and returns its length; PSC_ERROR_NOTHING where none is stored. */
int64_t psc_session_state(psc_session session, void *buffer, size_t capacity);

/* Stores small settings of a session beside its state, as the text of a JSON object without null; NULL removes them. */
int psc_session_set_settings(psc_session session, const char *json);

/* Writes the settings as JSON with a NUL, as much as fits, and returns the length without the NUL;
 * PSC_ERROR_NOTHING where none are stored. */
int64_t psc_session_settings(psc_session session, char *buffer, size_t capacity);

/* Brings a session forward, or requests a new scene where it is 0, with an activity to continue: both texts may be
 * NULL, a type is not empty, `json` is the text of an object. Performed after the present callback; a failure comes
 * by request_failed. */
int psc_session_activate(psc_session session, const char *activity_type, const char *json);

/* Closes a session for good, without asking; its scene is disconnected first. */
int psc_session_destroy(psc_session session);

/* Disconnects the scene of a session in the background; the session stays, and so does the application, without a
 * window where it was the last: psc_session_activate() and another start of the program bring it back. */
int psc_session_disconnect(psc_session session);

/* ---- Windows of the program's toolkit ---- */

/* The toolkit's side of an adopted window. */
typedef struct psc_window_owner {
  size_t size;
  void *data;
  /* Hides or shows the window: after psc_window_set_hidden(), after a close that keeps the scene, where the scene is
   * brought forward while its window cannot be seen, whoever has hidden it, and while background tasks hold the
   * program's end. Needed. */
  void (*set_hidden)(void *data, uint32_t xid, int is_hidden);
  /* Destroys the window: its scene has been disconnected. Not called where it is destroyed already, nor at the
   * program's end. Needed. */
  void (*destroy)(void *data, uint32_t xid);
} psc_window_owner;

/* Makes a toolkit's window one of a scene, the first one its primary window. Adopt it before it is shown: it comes
 * back where it was. The toolkit draws it and gets its input. Returns PSC_ERROR_NOT_X11 where `xid` is 0,
 * PSC_ERROR_STATE where a scene has it already. A number that is no window is found out later: the scene is
 * disconnected then, where it is its primary window. A window of another process has its scene, too; but its owner is
 * here, and can neither hide nor destroy it: standard error tells where the X server knows whose it is. So it does of
 * a window within another one of the toolkit, such as a widget's: adopt the one that the window manager manages. */
int psc_window_adopt(psc_scene scene, uint32_t xid, const psc_window_owner *owner);

/* The user has pressed the window's close button, which only its toolkit hears of. Of a primary window the scene
 * decides (scene_should_close); another one is hidden. Call it in the toolkit's handler, and close nothing there. */
int psc_window_perform_close(uint32_t xid);

/* Whether an adopted window is hidden, 1 or 0; one that is minimised, or on another workspace, is not. */
int psc_window_is_hidden(uint32_t xid);

/* Hides or shows an adopted window: the owner's set_hidden() does it, after the present callback. The scene whose last
 * window is hidden goes to the background, and stays connected. Does nothing where it is so already. */
int psc_window_set_hidden(uint32_t xid, int is_hidden);

/* Asks the window manager to minimise an adopted window; request_failed tells where it does not. A window that is
 * minimised or hidden comes back with psc_session_activate(). */
int psc_window_minimize(uint32_t xid);

/* ---- Work in the background ---- */

/* Begins a background task: the program is not suspended and does not end with its last scene until
 * psc_task_end(). Returns 0 where no time is left, which psc_error_message() says. `expired` is called on the main
 * thread shortly before the time is over, and ends the task; both it and `name` may be NULL. Where another thread ends
 * the task at that moment it may be called still: free `data` on the main thread, or never. Any thread. */
psc_task psc_task_begin(const char *name, void (*expired)(void *data), void *data);

/* Ends a task. 0 is ignored, and so is a task that is over, which standard error tells. Any thread. */
int psc_task_end(psc_task task);

/* The nanoseconds that tasks have left; PSC_NEVER in the foreground. Any thread. */
int64_t psc_background_time_remaining(void);

#ifdef __cplusplus
}
#endif
#endif
