// GLib's main loop (docs.gtk.org/glib, "The Main Event Loop"), loaded while the program runs.

#include "library.h"

#define glib_condition_in 1

#define GLIB_FUNCTIONS(FUNCTION) \
  FUNCTION(void *_Nullable, g_main_loop_new, (void *_Nullable context, int is_running)) \
  FUNCTION(void, g_main_loop_run, (void *_Nonnull loop)) \
  FUNCTION(void, g_main_loop_quit, (void *_Nonnull loop)) \
  FUNCTION(void, g_main_loop_unref, (void *_Nonnull loop)) \
  FUNCTION(int, g_main_context_iteration, (void *_Nullable context, int may_block)) \
  FUNCTION(unsigned, g_unix_fd_add, \
           (int descriptor, int condition, int (*_Nonnull function)(int, int, void *_Nullable), void *_Nullable data)) \
  FUNCTION(int, g_source_remove, (unsigned source))

LIBRARY(glib, GLIB_FUNCTIONS, "libglib-2.0.so.0")
