// CoreFoundation's run loop of the main thread (CFRunLoop.h), which `Timer` and `RunLoop.main` of Foundation use.
//
// The names are weak: Foundation is there where the program uses it, linked statically or not, and never loaded.
#ifndef CORE_FOUNDATION

#define CORE_FOUNDATION(NAME) __asm__(#NAME) __attribute__((weak))

double foundation_time(void) CORE_FOUNDATION(CFAbsoluteTimeGetCurrent);
void *_Nonnull foundation_main_loop(void) CORE_FOUNDATION(CFRunLoopGetMain);
double foundation_next_timer(void *_Nonnull loop, const void *_Nonnull mode) CORE_FOUNDATION(CFRunLoopGetNextTimerFireDate);
const void *_Nullable foundation_string(const void *_Nullable allocator, const char *_Nonnull text, unsigned encoding)
    CORE_FOUNDATION(CFStringCreateWithCString);

#define foundation_utf8 0x08000100u

static inline int foundation_is_linked(void) {
  return foundation_time && foundation_main_loop && foundation_next_timer && foundation_string;
}

#endif
