// libxkbcommon: keymaps, and tables of dead keys and compose sequences (xkbcommon.h, xkbcommon-compose.h).
#include "library.h"

struct xkb_context;
struct xkb_keymap;
struct xkb_state;
struct xkb_compose_table;
struct xkb_compose_state;

struct xkb_rule_names {
  const char *rules, *model, *layout, *variant, *options;
};

#define XKB_LOG_LEVEL_CRITICAL 10
#define XKB_COMPOSE_FEED_IGNORED 0
#define XKB_COMPOSE_NOTHING 0
#define XKB_COMPOSE_COMPOSING 1
#define XKB_COMPOSE_COMPOSED 2
#define XKB_COMPOSE_CANCELLED 3

#define XKBCOMMON(FUNCTION) \
  FUNCTION(struct xkb_context *, xkb_context_new, (int flags)) \
  FUNCTION(void, xkb_context_unref, (struct xkb_context *)) \
  FUNCTION(void, xkb_context_set_log_level, (struct xkb_context *, int level)) \
  FUNCTION(struct xkb_keymap *, xkb_keymap_new_from_names, \
           (struct xkb_context *, const struct xkb_rule_names *, int flags)) \
  FUNCTION(void, xkb_keymap_unref, (struct xkb_keymap *)) \
  FUNCTION(struct xkb_state *, xkb_state_new, (struct xkb_keymap *)) \
  FUNCTION(void, xkb_state_unref, (struct xkb_state *)) \
  FUNCTION(int, xkb_state_update_mask, \
           (struct xkb_state *, unsigned depressed, unsigned latched, unsigned locked, unsigned depressed_group, \
            unsigned latched_group, unsigned locked_group)) \
  FUNCTION(unsigned, xkb_state_key_get_one_sym, (struct xkb_state *, unsigned key)) \
  FUNCTION(int, xkb_state_key_get_utf8, (struct xkb_state *, unsigned key, char *buffer, long size)) \
  FUNCTION(struct xkb_compose_table *, xkb_compose_table_new_from_locale, \
           (struct xkb_context *, const char *locale, int flags)) \
  FUNCTION(void, xkb_compose_table_unref, (struct xkb_compose_table *)) \
  FUNCTION(struct xkb_compose_state *, xkb_compose_state_new, (struct xkb_compose_table *, int flags)) \
  FUNCTION(void, xkb_compose_state_unref, (struct xkb_compose_state *)) \
  FUNCTION(void, xkb_compose_state_reset, (struct xkb_compose_state *)) \
  FUNCTION(int, xkb_compose_state_feed, (struct xkb_compose_state *, unsigned symbol)) \
  FUNCTION(int, xkb_compose_state_get_status, (struct xkb_compose_state *)) \
  FUNCTION(int, xkb_compose_state_get_utf8, (struct xkb_compose_state *, char *buffer, long size))

LIBRARY(xkbcommon, XKBCOMMON, "libxkbcommon.so.0")
