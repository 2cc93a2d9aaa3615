// sd-bus: D-Bus as systemd, elogind and basu have it (sd-bus.h). No function that takes a variable number of
// arguments, and none that waits for an answer.
#include "library.h"

struct sd_bus;
struct sd_bus_message;
struct sd_bus_slot;

struct sd_bus_error {
  const char *name, *message;
  int needs_free;
};

#define SD_BUS_MESSAGE_METHOD_CALL 1
#define SD_BUS_MESSAGE_METHOD_RETURN 2
#define SD_BUS_MESSAGE_METHOD_ERROR 3
#define SD_BUS_MESSAGE_SIGNAL 4

// The result says whether the message has been handled.
typedef int (*sd_bus_handler)(struct sd_bus_message *, void *data, struct sd_bus_error *);

#define SD_BUS(FUNCTION) \
  FUNCTION(int, sd_bus_new, (struct sd_bus **)) \
  FUNCTION(int, sd_bus_set_address, (struct sd_bus *, const char *address)) \
  FUNCTION(int, sd_bus_set_bus_client, (struct sd_bus *, int is_client)) \
  FUNCTION(int, sd_bus_start, (struct sd_bus *)) \
  FUNCTION(void, sd_bus_close, (struct sd_bus *)) \
  FUNCTION(struct sd_bus *, sd_bus_unref, (struct sd_bus *)) \
  FUNCTION(int, sd_bus_get_fd, (struct sd_bus *)) \
  FUNCTION(int, sd_bus_get_events, (struct sd_bus *)) \
  FUNCTION(int, sd_bus_process, (struct sd_bus *, struct sd_bus_message **)) \
  FUNCTION(int, sd_bus_add_filter, (struct sd_bus *, struct sd_bus_slot **, sd_bus_handler, void *data)) \
  FUNCTION(int, sd_bus_send, (struct sd_bus *, struct sd_bus_message *, unsigned long long *cookie)) \
  FUNCTION(int, sd_bus_message_new_method_call, \
           (struct sd_bus *, struct sd_bus_message **, const char *destination, const char *path, \
            const char *interface, const char *member)) \
  FUNCTION(int, sd_bus_message_new_signal, \
           (struct sd_bus *, struct sd_bus_message **, const char *path, const char *interface, const char *member)) \
  FUNCTION(int, sd_bus_message_new_method_return, (struct sd_bus_message *call, struct sd_bus_message **)) \
  FUNCTION(int, sd_bus_message_new_method_error, \
           (struct sd_bus_message *call, struct sd_bus_message **, const struct sd_bus_error *)) \
  FUNCTION(int, sd_bus_message_set_expect_reply, (struct sd_bus_message *, int expects)) \
  FUNCTION(struct sd_bus_message *, sd_bus_message_ref, (struct sd_bus_message *)) \
  FUNCTION(struct sd_bus_message *, sd_bus_message_unref, (struct sd_bus_message *)) \
  FUNCTION(int, sd_bus_message_append_basic, (struct sd_bus_message *, char type, const void *value)) \
  FUNCTION(int, sd_bus_message_open_container, (struct sd_bus_message *, char type, const char *contents)) \
  FUNCTION(int, sd_bus_message_close_container, (struct sd_bus_message *)) \
  FUNCTION(int, sd_bus_message_peek_type, (struct sd_bus_message *, char *type, const char **contents)) \
  FUNCTION(int, sd_bus_message_read_basic, (struct sd_bus_message *, char type, void *value)) \
  FUNCTION(int, sd_bus_message_enter_container, (struct sd_bus_message *, char type, const char *contents)) \
  FUNCTION(int, sd_bus_message_exit_container, (struct sd_bus_message *)) \
  FUNCTION(int, sd_bus_message_read_array, \
           (struct sd_bus_message *, char type, const void **values, unsigned long *size)) \
  FUNCTION(int, sd_bus_message_append_array, (struct sd_bus_message *, char type, const void *values, unsigned long size)) \
  FUNCTION(int, sd_bus_message_get_type, (struct sd_bus_message *, unsigned char *type)) \
  FUNCTION(const char *, sd_bus_message_get_sender, (struct sd_bus_message *)) \
  FUNCTION(const char *, sd_bus_message_get_path, (struct sd_bus_message *)) \
  FUNCTION(const char *, sd_bus_message_get_interface, (struct sd_bus_message *)) \
  FUNCTION(const char *, sd_bus_message_get_member, (struct sd_bus_message *)) \
  FUNCTION(int, sd_bus_message_get_reply_cookie, (struct sd_bus_message *, unsigned long long *cookie)) \
  FUNCTION(const struct sd_bus_error *, sd_bus_message_get_error, (struct sd_bus_message *))

LIBRARY(sd_bus, SD_BUS, "libsystemd.so.0", "libelogind.so.0", "libbasu.so.0")

// What basu lacks: an array that is a sealed file in memory, of which the message has no copy.
#define SD_BUS_FILES(FUNCTION) \
  FUNCTION(int, sd_bus_message_append_array_memfd, \
           (struct sd_bus_message *, char type, int file, unsigned long long offset, unsigned long long size))

LIBRARY(sd_bus_files, SD_BUS_FILES, "libsystemd.so.0", "libelogind.so.0")
