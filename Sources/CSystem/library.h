// Libraries that are loaded while the program runs. Neither building nor running a program needs any of them.
//
// LIBRARY(name, FUNCTIONS, files...) declares `struct name_library`, which has a pointer to each function of the
// list under the function's own name, and `name_open`, which loads the first file that has all of them and fills
// the structure. The list is a macro of one line for each function: FUNCTION(result, name, (parameters)).
#ifndef LIBRARY

// dlopen(3); RTLD_NOW.
#define library_bind_now 2
void *library_load(const char *file, int mode) __asm__("dlopen");
int library_unload(void *library) __asm__("dlclose");
void *library_function(void *library, const char *name) __asm__("dlsym");

#define LIBRARY_POINTER(result, name, parameters) result(*_Nonnull name) parameters;
#define LIBRARY_FIND(result, name, parameters) &&(functions->name = library_function(library, #name))

// Function pointers do not change, so that every thread may use the structure.
#define LIBRARY(NAME, FUNCTIONS, ...) \
  struct __attribute__((swift_attr("@Sendable"))) NAME##_library { \
    FUNCTIONS(LIBRARY_POINTER) \
  }; \
  static inline void *_Nullable NAME##_open(struct NAME##_library *_Nonnull functions) { \
    static const char *const files[] = {__VA_ARGS__, 0}; \
    for (const char *const *file = files; *file; file++) { \
      void *library = library_load(*file, library_bind_now); \
      if (library FUNCTIONS(LIBRARY_FIND)) return library; \
      if (library) library_unload(library); \
    } \
    return 0; \
  }

#endif
