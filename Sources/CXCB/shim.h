// libxcb's core protocol, and xcbext.h for requests of extensions that we lay out ourselves.
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
