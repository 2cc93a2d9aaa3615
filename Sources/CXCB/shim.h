// libxcb's core protocol, and xcbext.h for requests of extensions that we lay out ourselves.
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

// memfd_create(2): the C library's header hides it from those who do not ask for GNU extensions.
int memfd_create(const char *name, unsigned int flags);
