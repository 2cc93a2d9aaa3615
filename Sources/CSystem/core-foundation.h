// CoreFoundation's run loop of the main thread (CFRunLoop.h), which `Timer` and `RunLoop.main` of Foundation use.
#include "library.h"

#define CORE_FOUNDATION(FUNCTION) \
  FUNCTION(double, CFAbsoluteTimeGetCurrent, (void)) \
  FUNCTION(void *_Nonnull, CFRunLoopGetMain, (void)) \
  FUNCTION(double, CFRunLoopGetNextTimerFireDate, (void *_Nonnull loop, const void *_Nonnull mode)) \
  FUNCTION(const void *_Nullable, CFStringCreateWithCString, \
           (const void *_Nullable allocator, const char *_Nonnull text, unsigned encoding))

#define core_foundation_utf8 0x08000100u

// The empty name is that of the process: Foundation is found where the program has loaded it, and never loaded.
LIBRARY(core_foundation, CORE_FOUNDATION, "")
