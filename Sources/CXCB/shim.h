// libxcb's core protocol, and xcbext.h for requests of extensions that are laid out here.
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

// memfd_create(2): the C library's header hides it from programs that do not ask for GNU extensions.
int memfd_create(const char *name, unsigned int flags);
enum { linux_memfd_close_on_exec = 1, linux_memfd_allow_sealing = 2 };
// fcntl(2), F_ADD_SEALS and its seals.
enum { linux_add_seals = 1033, linux_seal_seal = 1, linux_seal_shrink = 2, linux_seal_grow = 4 };

// Conventions between clients.

// The states of WM_STATE, and of WM_HINTS' initial state (ICCCM 4.1.3.1 and 4.1.2.4).
enum icccm_state { ICCCM_WITHDRAWN_STATE = 0, ICCCM_NORMAL_STATE = 1, ICCCM_ICONIC_STATE = 3 };

// WM_NORMAL_HINTS (ICCCM 4.1.2.3).
enum icccm_size_flag {
  ICCCM_USER_POSITION = 1,
  ICCCM_USER_SIZE = 2,
  ICCCM_PROGRAM_POSITION = 4,
  ICCCM_PROGRAM_SIZE = 8,
  ICCCM_MINIMUM_SIZE = 16,
  ICCCM_MAXIMUM_SIZE = 32,
  ICCCM_WINDOW_GRAVITY = 512
};
struct icccm_size_hints {
  uint32_t flags;
  int32_t x, y;
  uint32_t width, height, minimum_width, minimum_height, maximum_width, maximum_height, width_step, height_step;
  uint32_t minimum_aspect[2], maximum_aspect[2], base_width, base_height, gravity;
};

// WM_HINTS (ICCCM 4.1.2.4).
enum icccm_hint_flag { ICCCM_INPUT_HINT = 1, ICCCM_STATE_HINT = 2, ICCCM_WINDOW_GROUP_HINT = 64 };
struct icccm_hints {
  uint32_t flags, input, initial_state, icon_pixmap, icon_window, icon_x, icon_y, icon_mask, window_group;
};

// _NET_WM_STATE's actions, the source indication of a program, and _NET_WM_DESKTOP's value for all workspaces (EWMH).
enum ewmh_number {
  EWMH_STATE_REMOVE = 0,
  EWMH_STATE_ADD = 1,
  EWMH_SOURCE_APPLICATION = 1,
  EWMH_ALL_WORKSPACES = 0xffffffff
};

// The glyphs of the core cursor font that are used (X protocol, appendix B).
enum cursor_glyph {
  CURSOR_X_CURSOR = 0,
  CURSOR_BOTTOM_LEFT_CORNER = 12,
  CURSOR_BOTTOM_RIGHT_CORNER = 14,
  CURSOR_BOTTOM_SIDE = 16,
  CURSOR_CROSSHAIR = 34,
  CURSOR_FLEUR = 52,
  CURSOR_HAND1 = 58,
  CURSOR_HAND2 = 60,
  CURSOR_LEFT_PTR = 68,
  CURSOR_LEFT_SIDE = 70,
  CURSOR_PLUS = 90,
  CURSOR_QUESTION_ARROW = 92,
  CURSOR_RIGHT_SIDE = 96,
  CURSOR_SB_H_DOUBLE_ARROW = 108,
  CURSOR_SB_V_DOUBLE_ARROW = 116,
  CURSOR_TOP_LEFT_CORNER = 134,
  CURSOR_TOP_RIGHT_CORNER = 136,
  CURSOR_TOP_SIDE = 138,
  CURSOR_WATCH = 150,
  CURSOR_XTERM = 152
};

// Extensions: what is selected, and replies and events as libxcb hands them out. In events that are longer than 32
// bytes libxcb puts the full sequence number behind the 32nd.

// RandR (randrproto.txt, section 7 and appendix A).
enum randr_select { RANDR_SCREEN_CHANGE = 1, RANDR_CRTC_CHANGE = 2, RANDR_OUTPUT_CHANGE = 4 };
enum randr_rotation { RANDR_ROTATE_90 = 2, RANDR_ROTATE_180 = 4, RANDR_ROTATE_270 = 8, RANDR_ROTATIONS = 15 };
struct randr_monitors_reply {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t length, timestamp, monitor_count, output_count, padding[3];
};
struct randr_monitor {
  uint32_t name;
  uint8_t is_primary, is_automatic;
  uint16_t output_count;
  int16_t x, y;
  uint16_t width, height;
  uint32_t width_millimeters, height_millimeters;
};
struct randr_resources_reply {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t length, timestamp, configuration_time;
  uint16_t crtc_count, output_count, mode_count, name_bytes;
  uint32_t padding[2];
};
// After the CRTCs, the outputs and the modes follow.
struct randr_mode {
  uint32_t id;
  uint16_t width, height;
  uint32_t dot_clock;
  uint16_t hsync_start, hsync_end, htotal, hskew, vsync_start, vsync_end, vtotal, name_bytes;
  uint32_t flags;
};
enum randr_mode_flag { RANDR_INTERLACE = 16, RANDR_DOUBLE_SCAN = 32 };
// The CRTCs that it can use follow, and then its modes.
struct randr_output_reply {
  uint8_t response_type, status;
  uint16_t sequence;
  uint32_t length, timestamp, crtc, width_millimeters, height_millimeters;
  uint8_t connection, subpixel_order;
  uint16_t crtc_count, mode_count, preferred_count, clone_count, name_bytes;
};
// Its outputs follow.
struct randr_crtc_reply {
  uint8_t response_type, status;
  uint16_t sequence;
  uint32_t length, timestamp;
  int16_t x, y;
  uint16_t width, height;
  uint32_t mode;
  uint16_t rotation, rotations, output_count, possible_count;
};

// XFixes (fixesproto.txt, section 12).
enum fixes_select { FIXES_SET_SELECTION_OWNER = 1, FIXES_SELECTION_WINDOW_DESTROY = 2, FIXES_SELECTION_CLIENT_CLOSE = 4 };
struct fixes_selection_event {
  uint8_t response_type, subtype;
  uint16_t sequence;
  uint32_t window, owner, selection, timestamp, selection_timestamp;
};

// MIT-SCREEN-SAVER (saverproto.h).
enum screen_saver_select { SCREEN_SAVER_NOTIFY = 1 };
enum screen_saver_state { SCREEN_SAVER_ON = 1, SCREEN_SAVER_CYCLE = 2 };
struct screen_saver_event {
  uint8_t response_type, state;
  uint16_t sequence;
  uint32_t timestamp, root, window;
};

// SHAPE (shapeproto.h); the extents follow.
struct shape_extents_reply {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t length;
  uint8_t is_bounding_shaped, is_clip_shaped;
  uint16_t unused_too;
};

// X-Resource (resproto, "XResQueryClientIds"): the identity of a client that is its process, as the server numbers it.
enum resource_identity { RESOURCE_LOCAL_CLIENT_PROCESS = 2 };
struct resource_process {
  uint32_t client, mask, length, process;
};

// MIT-SHM (shmproto.h).
struct shm_version_reply {
  uint8_t response_type, shares_pixmaps;
  uint16_t sequence;
  uint32_t length;
  uint16_t major, minor;
};
struct shm_completion_event {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t drawable;
  uint16_t minor_opcode;
  uint8_t major_opcode, padding;
  uint32_t segment, offset;
};

// Present (presentproto.txt, sections 7 and 8).
enum present_select { PRESENT_COMPLETE_NOTIFY = 2, PRESENT_IDLE_NOTIFY = 4 };
enum present_event { PRESENT_COMPLETE = 1, PRESENT_IDLE = 2 };
enum present_kind { PRESENT_KIND_PIXMAP = 0, PRESENT_KIND_MOMENT = 1 };
enum present_option { PRESENT_OPTION_ASYNC = 1 };
struct present_complete_event {
  uint8_t response_type, extension;
  uint16_t sequence;
  uint32_t length;
  uint16_t event_type;
  uint8_t kind, mode;
  uint32_t event, window, serial, ust[2], full_sequence, msc[2];
};
struct present_idle_event {
  uint8_t response_type, extension;
  uint16_t sequence;
  uint32_t length;
  uint16_t event_type, padding;
  uint32_t event, window, serial, pixmap;
};

// XInput 2 (XI2proto.txt, sections "Events", "DeviceEvent" and "ScrollClass").
enum xinput_device { XINPUT_ALL_DEVICES = 0, XINPUT_ALL_MASTER_DEVICES = 1 };
enum xinput_event {
  XINPUT_DEVICE_CHANGED = 1,
  XINPUT_BUTTON_PRESS = 4,
  XINPUT_BUTTON_RELEASE = 5,
  XINPUT_MOTION = 6,
  XINPUT_HIERARCHY_CHANGED = 11,
  XINPUT_TOUCH_BEGIN = 18,
  XINPUT_TOUCH_UPDATE = 19,
  XINPUT_TOUCH_END = 20
};
enum xinput_change { XINPUT_SLAVE_SWITCH = 1, XINPUT_DEVICE_CHANGE = 2 };
enum xinput_flag { XINPUT_POINTER_EMULATED = 1 << 16 };
enum xinput_class { XINPUT_SCROLL_CLASS = 3 };
enum xinput_scroll { XINPUT_SCROLL_VERTICAL = 1, XINPUT_SCROLL_HORIZONTAL = 2 };
struct xinput_fixed {
  int32_t whole;
  uint32_t fraction;
};
struct xinput_version_reply {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t length;
  uint16_t major, minor;
};
struct xinput_devices_reply {
  uint8_t response_type, unused;
  uint16_t sequence;
  uint32_t length;
  uint16_t device_count;
};
struct xinput_device_info {
  uint16_t device, use, attachment, class_count, name_length;
  uint8_t is_enabled, padding;
};
struct xinput_class_info {
  uint16_t type, length, source, number;
};
struct xinput_scroll_info {
  uint16_t type, length, source, number, direction, padding;
  uint32_t flags;
  struct xinput_fixed increment;
};
struct xinput_changed_event {
  uint8_t response_type, extension;
  uint16_t sequence;
  uint32_t length;
  uint16_t event_type, device;
  uint32_t timestamp;
  uint16_t class_count, source;
  uint8_t reason;
};
struct xinput_device_event {
  uint8_t response_type, extension;
  uint16_t sequence;
  uint32_t length;
  uint16_t event_type, device;
  uint32_t timestamp, detail, root, window, child, full_sequence;
  int32_t root_x, root_y, x, y; // 16 bits of each behind the point
  uint16_t button_words, valuator_words, source, padding;
  uint32_t flags, base_modifiers, latched_modifiers, locked_modifiers, modifiers;
  uint8_t base_group, latched_group, locked_group, group;
};

// An event as libxcb hands it out: 32 bytes, of which generic events have more, and the full sequence number.
union x_event {
  xcb_generic_event_t any;
  xcb_generic_error_t error;
  xcb_key_press_event_t input; // keys, buttons, motion and crossings have one layout
  xcb_enter_notify_event_t crossing;
  xcb_focus_in_event_t focus;
  xcb_expose_event_t expose;
  xcb_visibility_notify_event_t visibility;
  xcb_destroy_notify_event_t destroy;
  xcb_unmap_notify_event_t unmap;
  xcb_map_notify_event_t map;
  xcb_reparent_notify_event_t reparent;
  xcb_configure_notify_event_t configure;
  xcb_property_notify_event_t property;
  xcb_client_message_event_t message;
  xcb_selection_request_event_t selection_request;
  xcb_selection_notify_event_t selection_notify;
  xcb_selection_clear_event_t selection_clear;
  xcb_mapping_notify_event_t mapping;
  xcb_ge_generic_event_t generic;
  struct screen_saver_event screen_saver;
  struct fixes_selection_event fixes_selection;
  struct shm_completion_event shm_completion;
  struct present_idle_event present_idle;
};
