/* A text editor of GTK 4. Each window is a scene, whose session has the text and the cursor: both are back after any
 * end, kill -9 included.
 *
 *     cc *.c $(pkg-config --cflags --libs gtk4 proscenium)
 *
 * --scenes N opens N windows at the first launch. Ctrl-N new window, Ctrl-O open, Ctrl-S save, Ctrl-W close, Ctrl-Q
 * quit. A window's title is the first line of its text. What is in no file is in the session all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"

/* What is in a window. It belongs to the window, and is freed with it. */
typedef struct Editor {
  psc_scene scene;
  GtkWindow *window;
  GtkTextView *view;
  /* Where the text is saved; NULL until it has been chosen. */
  GFile *file;
  /* Whether the file's lines end with CR LF. The buffer's end with LF. */
  gboolean has_returns;
  /* Whether the user knows that the text is too long for the session. */
  gboolean is_too_long;
} Editor;

/* The longest text that is opened: the session keeps the cursor and the file's URI with it. */
enum { MOST_TEXT = PSC_MOST_STATE - (1 << 16), MOST_TITLE = 80 };

static void free_editor(gpointer data) {
  g_clear_object(&((Editor *)data)->file);
  g_free(data);
}

static int wanted_scenes = 1;

static void report(const char *what) { fprintf(stderr, "GTK4Editor: %s: %s\n", what, psc_error_message()); }

/* To the user, and to who has started the program. */
static void show_error(Editor *editor, const char *message) {
  fprintf(stderr, "GTK4Editor: %s\n", message);
  GtkWidget *dialog = gtk_message_dialog_new(editor->window, GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_ERROR,
                                             GTK_BUTTONS_CLOSE, "%s", message);
  gtk_window_set_title(GTK_WINDOW(dialog), "Error");
  g_signal_connect(dialog, "response", G_CALLBACK(gtk_window_destroy), NULL);
  gtk_window_present(GTK_WINDOW(dialog));
}

static char *copy_text(Editor *editor) {
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  return gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
}

/* ---- The state: the cursor's offset in characters, the file's URI, the end of the file's lines, the text ---- */

static void restore(Editor *editor, psc_session session) {
  int64_t length = psc_session_state(session, NULL, 0);
  if (length < 0) return;
  char *state = g_malloc0((size_t)length + 1);
  psc_session_state(session, state, (size_t)length);
  char *text = strchr(state, '\n');
  if (text && g_utf8_validate(text, -1, NULL)) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
    gtk_text_buffer_set_text(buffer, text + 1, -1);
    GtkTextIter cursor;
    gtk_text_buffer_get_iter_at_offset(buffer, &cursor, atoi(state));
    gtk_text_buffer_place_cursor(buffer, &cursor);
    gtk_text_view_scroll_to_mark(editor->view, gtk_text_buffer_get_insert(buffer), 0.1, FALSE, 0, 0);
    editor->has_returns = text > state && text[-1] == '\r';
    text[-editor->has_returns] = 0;
    char *uri = strchr(state, ' ');
    if (uri) editor->file = g_file_new_for_uri(uri + 1);
  }
  g_free(state);
}

static void save_state(void *data, psc_scene scene) {
  (void)data;
  Editor *editor = psc_scene_data(scene);
  if (!editor) return;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
  GtkTextIter cursor;
  gtk_text_buffer_get_iter_at_mark(buffer, &cursor, gtk_text_buffer_get_insert(buffer));
  char *text = copy_text(editor), *uri = editor->file ? g_file_get_uri(editor->file) : NULL;
  char *state =
      g_strdup_printf("%d%s%s%s%s", gtk_text_iter_get_offset(&cursor), uri ? " " : "", uri ? uri : "",
                      editor->has_returns ? "\r\n" : "\n", text);
  gboolean was_too_long = editor->is_too_long;
  editor->is_too_long = psc_session_set_state(psc_scene_session(scene), state, strlen(state)) != PSC_OK;
  if (editor->is_too_long && !was_too_long) {
    char *message = g_strdup_printf("The window is not kept as it is now: %s", psc_error_message());
    show_error(editor, message);
    g_free(message);
  }
  g_free(state);
  g_free(uri);
  g_free(text);
}

static void show_title(Editor *editor) {
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
  GtkTextIter start, end;
  gtk_text_buffer_get_start_iter(buffer, &start);
  end = start;
  if (!gtk_text_iter_ends_line(&end)) gtk_text_iter_forward_to_line_end(&end);
  /* Window managers draw all of it, and take seconds for a line of a megabyte. */
  if (gtk_text_iter_get_offset(&end) > MOST_TITLE) gtk_text_iter_set_offset(&end, MOST_TITLE);
  char *line = gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
  gtk_window_set_title(editor->window, *line ? line : "Editor");
  psc_scene_set_title(editor->scene, *line ? line : "Editor");
  g_free(line);
}

/* The text or the cursor. */
static void changed(Editor *editor) {
  show_title(editor);
  psc_scene_invalidate_state(editor->scene);
}

/* ---- Files ---- */

/* Replaces the text in one step, which can be undone. */
static void replace_text(Editor *editor, const char *text) {
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
  GtkTextIter start, end;
  gtk_text_buffer_begin_user_action(buffer);
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  gtk_text_buffer_delete(buffer, &start, &end);
  gtk_text_buffer_insert(buffer, &start, text, -1);
  gtk_text_buffer_end_user_action(buffer);
}

/* Makes `to` of each `from`. */
static char *replaced(const char *text, const char *from, const char *to) {
  GString *string = g_string_new(text);
  g_string_replace(string, from, to, 0);
  return g_string_free(string, FALSE);
}

static gboolean write_file(Editor *editor, GFile *file, GError **error) {
  char *text = copy_text(editor);
  if (editor->has_returns) {
    char *lines = replaced(text, "\r\n", "\n");
    g_free(text);
    text = replaced(lines, "\n", "\r\n");
    g_free(lines);
  }
  gboolean is_done =
      g_file_replace_contents(file, text, strlen(text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
  g_free(text);
  return is_done;
}

/* The file's text; NULL where it cannot be read, is none or is too long to be kept. */
static char *read_text(GFile *file, GError **error) {
  /* A pipe would keep all windows waiting for the one that writes into it. */
  if (g_file_query_file_type(file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL) {
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "It is not a regular file.");
    return NULL;
  }
  GInputStream *stream = G_INPUT_STREAM(g_file_read(file, NULL, error));
  if (!stream) return NULL;
  char *text = g_malloc(MOST_TEXT + 2);
  gsize length = 0;
  const char *problem = NULL;
  gboolean is_read = g_input_stream_read_all(stream, text, MOST_TEXT + 1, &length, NULL, error);
  g_object_unref(stream);
  text[length] = 0;
  if (is_read && length > MOST_TEXT) problem = "The file is longer than 8 MB, which is what a window keeps.";
  else if (is_read && !g_utf8_validate(text, (gssize)length, NULL)) problem = "The file is not a text in UTF-8.";
  if (problem) g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, problem);
  if (is_read && !problem) return text;
  g_free(text);
  return NULL;
}

static gboolean read_file(Editor *editor, GFile *file, GError **error) {
  char *text = read_text(file, error);
  if (!text) return FALSE;
  char *lines = replaced(text, "\r\n", "\n"), *ends = replaced(lines, "\n", "\r\n");
  /* A text of both kinds is kept as it is, and so is one whose lines end with CR CR LF. */
  editor->has_returns = strchr(lines, '\n') && !strstr(lines, "\r\n") && strcmp(ends, text) == 0;
  replace_text(editor, editor->has_returns ? lines : text);
  g_free(ends);
  g_free(lines);
  g_free(text);
  return TRUE;
}

/* Takes a file where it can be written or read. */
static void use_file(Editor *editor, GFile *file, gboolean writes) {
  GError *error = NULL;
  if (writes ? write_file(editor, file, &error) : read_file(editor, file, &error)) {
    g_set_object(&editor->file, file);
    psc_scene_invalidate_state(editor->scene);
  } else {
    show_error(editor, error->message);
    g_error_free(error);
  }
}

static void file_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  Editor *editor = data;
  GFile *file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  if (file) {
    use_file(editor, file, gtk_file_chooser_get_action(GTK_FILE_CHOOSER(dialog)) == GTK_FILE_CHOOSER_ACTION_SAVE);
    g_object_unref(file);
  }
  g_object_set_data(G_OBJECT(editor->window), "dialog", NULL);
}

/* The dialog goes with its window, and is not adopted: it is no scene's. */
static void choose_file(Editor *editor, GtkFileChooserAction action) {
  const char *title = action == GTK_FILE_CHOOSER_ACTION_SAVE ? "Save" : "Open";
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new(title, editor->window, action, NULL, NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect(dialog, "response", G_CALLBACK(file_chosen), editor);
  g_object_set_data_full(G_OBJECT(editor->window), "dialog", dialog, g_object_unref);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void open_file(GSimpleAction *action, GVariant *parameter, gpointer editor) {
  (void)action, (void)parameter;
  choose_file(editor, GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void save_file(GSimpleAction *action, GVariant *parameter, gpointer data) {
  (void)action, (void)parameter;
  Editor *editor = data;
  if (editor->file) use_file(editor, editor->file, TRUE);
  else choose_file(editor, GTK_FILE_CHOOSER_ACTION_SAVE);
}

/* ---- Windows ---- */

static void new_window(GSimpleAction *action, GVariant *parameter, gpointer data) {
  (void)action, (void)parameter, (void)data;
  if (psc_session_activate(0, NULL, NULL) != PSC_OK) report("no new window");
}

static void close_window(GSimpleAction *action, GVariant *parameter, gpointer editor) {
  (void)action, (void)parameter;
  psc_window_perform_close(adapter_xid(((Editor *)editor)->window));
}

static void quit(GSimpleAction *action, GVariant *parameter, gpointer data) {
  (void)action, (void)parameter, (void)data;
  psc_terminate(0);
}

static GtkWidget *make_menu_bar(void) {
  GMenu *bar = g_menu_new(), *file = g_menu_new();
  g_menu_append(file, "New window", "editor.new");
  g_menu_append(file, "Open ...", "editor.open");
  g_menu_append(file, "Save", "editor.save");
  g_menu_append(file, "Close", "editor.close");
  g_menu_append(file, "Quit", "editor.quit");
  g_menu_append_submenu(bar, "File", G_MENU_MODEL(file));
  GtkWidget *widget = gtk_popover_menu_bar_new_from_model(G_MENU_MODEL(bar));
  g_object_unref(file);
  g_object_unref(bar);
  return widget;
}

static void add_actions(Editor *editor) {
  static const GActionEntry entries[] = {
      {.name = "new", .activate = new_window},
      {.name = "open", .activate = open_file},
      {.name = "save", .activate = save_file},
      {.name = "close", .activate = close_window},
      {.name = "quit", .activate = quit}};
  static const struct { const char *keys, *action; } shortcuts[] = {
      {"<Control>n", "editor.new"}, {"<Control>o", "editor.open"}, {"<Control>s", "editor.save"},
      {"<Control>w", "editor.close"}, {"<Control>q", "editor.quit"}};
  GSimpleActionGroup *group = g_simple_action_group_new();
  g_action_map_add_action_entries(G_ACTION_MAP(group), entries, G_N_ELEMENTS(entries), editor);
  gtk_widget_insert_action_group(GTK_WIDGET(editor->window), "editor", G_ACTION_GROUP(group));
  g_object_unref(group);
  GtkEventController *controller = gtk_shortcut_controller_new();
  for (size_t index = 0; index < G_N_ELEMENTS(shortcuts); index++)
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(controller),
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string(shortcuts[index].keys),
                         gtk_named_action_new(shortcuts[index].action)));
  gtk_widget_add_controller(GTK_WIDGET(editor->window), controller);
}

static Editor *make_editor(psc_scene scene) {
  Editor *editor = g_new0(Editor, 1);
  editor->scene = scene;
  editor->window = GTK_WINDOW(gtk_window_new());
  editor->view = GTK_TEXT_VIEW(gtk_text_view_new());
  g_object_set_data_full(G_OBJECT(editor->window), "editor", editor, free_editor);
  gtk_window_set_default_size(editor->window, 420, 300);
  gtk_text_view_set_wrap_mode(editor->view, GTK_WRAP_WORD_CHAR);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(editor->view));
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(box), make_menu_bar());
  gtk_box_append(GTK_BOX(box), scrolled);
  gtk_window_set_child(editor->window, box);
  gtk_window_set_focus(editor->window, GTK_WIDGET(editor->view));
  add_actions(editor);
  return editor;
}

/* ---- The life cycle ---- */

static void did_finish_launching(void *data) {
  (void)data;
  /* Not before: a second start of the program has sent its request to the first by now, and needs no GTK. X11 first:
   * most Wayland desktops have it, too. GDK_BACKEND=wayland still chooses Wayland, whose windows are refused. */
  gdk_set_allowed_backends("x11,*");
  g_set_application_name("Editor");
  gtk_init();
  /* The first scene comes by itself, and so do all that were open. */
  if (psc_session_list(NULL, 0) > 0) return;
  for (int count = 1; count < wanted_scenes; count++) psc_session_activate(0, NULL, NULL);
}

static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
  (void)data;
  Editor *editor = make_editor(scene);
  if (adapter_adopt(scene, editor->window) != PSC_OK) {
    report("not adopted");
    gtk_window_destroy(editor->window);
    psc_terminate(1);
    return;
  }
  psc_scene_set_data(scene, editor);
  restore(editor, connection->session);
  show_title(editor);
  /* Only now: what is restored has not changed. */
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->view);
  g_signal_connect_swapped(buffer, "changed", G_CALLBACK(changed), editor);
  g_signal_connect_swapped(buffer, "notify::cursor-position", G_CALLBACK(changed), editor);
  gtk_widget_set_visible(GTK_WIDGET(editor->window), TRUE);
}

static void request_failed(void *data, const char *message) {
  (void)data;
  fprintf(stderr, "GTK4Editor: %s\n", message);
}

int main(int argc, char **argv) {
  for (int index = 1; index + 1 < argc; index++)
    if (strcmp(argv[index], "--scenes") == 0) wanted_scenes = atoi(argv[index + 1]);
  const psc_application application = {
      .size = sizeof application,
      .identifier = "org.proscenium.GTK4Editor",
      .did_finish_launching = did_finish_launching,
      .request_failed = request_failed,
      .scene_will_connect = will_connect,
      .scene_save_state = save_state,
  };
  int status = psc_attach(&application, argc, argv);
  if (status == PSC_ENDED) return psc_exit_status();
  if (status != PSC_OK) {
    report("not launched");
    return 1;
  }
  return adapter_run();
}
