// The kernel and the C library: functions that the C library's headers hide from programs that do not ask for GNU
// extensions, and headers that are not in Swift's Glibc module. Types of our own, because a type that two modules
// include belongs to only one of them.
#include <sys/syscall.h>

long linux_syscall(long number, ...) __asm__("syscall");
int linux_backtrace(void **frames, int count) __asm__("backtrace");
int *linux_error(void) __asm__("__errno_location");
int linux_first_signal(void) __asm__("__libc_current_sigrtmin");
int linux_last_signal(void) __asm__("__libc_current_sigrtmax");

// dladdr(3).
struct linux_symbol {
  const char *file;
  void *base;
  const char *name;
  void *address;
};
int linux_symbol_at(const void *address, struct linux_symbol *symbol) __asm__("dladdr");

// getauxval(3).
#define linux_program_headers 3ul
unsigned long linux_auxiliary_value(unsigned long type) __asm__("getauxval");

// The Swift runtime's: a name as it is written, to be freed; null for one that is none of Swift's.
char *linux_readable_name(const char *name, unsigned long length, char *buffer, unsigned long *size, unsigned flags)
    __asm__("swift_demangle");

// renameat2(2).
#define linux_rename_no_replace 1u
int linux_rename(int folder, const char *name, int new_folder, const char *new_name, unsigned flags)
    __asm__("renameat2");

// mallopt(3): the byte with which freed memory is overwritten.
#define linux_malloc_perturb (-6)
int linux_set_malloc_option(int option, int value) __asm__("mallopt");

// malloc_trim(3).
int linux_trim_memory(unsigned long pad) __asm__("malloc_trim");

// xattr(7).
long linux_list_attributes(int descriptor, char *names, unsigned long size) __asm__("flistxattr");
long linux_get_attribute(int descriptor, const char *name, void *value, unsigned long size) __asm__("fgetxattr");
int linux_set_attribute(int descriptor, const char *name, const void *value, unsigned long size, int flags)
    __asm__("fsetxattr");
int linux_remove_attribute(int descriptor, const char *name) __asm__("fremovexattr");

// timerfd_create(2), with struct itimerspec.
struct linux_interval {
  long seconds, nanoseconds, first_seconds, first_nanoseconds;
};
#define linux_timer_nonblocking 04000
#define linux_timer_close_on_exec 02000000
#define linux_timer_absolute 1
#define linux_timer_cancel_on_set 2
int linux_timer(int clock, int flags) __asm__("timerfd_create");
int linux_set_timer(int descriptor, int flags, const struct linux_interval *interval, void *old) __asm__("timerfd_settime");
int linux_get_timer(int descriptor, struct linux_interval *interval) __asm__("timerfd_gettime");

// epoll_create1(2) and epoll_ctl(2).
#define linux_epoll_close_on_exec 02000000
#define linux_epoll_insert 1
#define linux_epoll_remove 2
#define linux_epoll_modify 3
int linux_epoll(int flags) __asm__("epoll_create1");
struct linux_epoll_event {
  unsigned int events;
  unsigned long long data;
}
#if defined(__x86_64__)
__attribute__((packed))
#endif
;
int linux_change_epoll(int epoll, int operation, int descriptor, struct linux_epoll_event *event) __asm__("epoll_ctl");
// Waits for a descriptor until it can be read (EPOLLIN).
static inline int linux_epoll_add(int epoll, int descriptor) {
  struct linux_epoll_event event = {1, 0};
  return linux_change_epoll(epoll, linux_epoll_insert, descriptor, &event);
}

// libdispatch's main queue for a run loop of one's own, as CoreFoundation has it (private.h, queue_private.h).
int dispatch_main_queue_descriptor(void) __asm__("_dispatch_get_main_queue_handle_4CF");
void dispatch_run_main_queue(void *message) __asm__("_dispatch_main_queue_callback_4CF");

// pidfd_open(2), by its number, which is the same on all machines: headers of older systems have none.
static inline int linux_process_descriptor(int process) { return (int)linux_syscall(434, process, 0); }

// pidfd_getfd(2): a descriptor of another process, which the caller may trace.
static inline int linux_descriptor_of(int process_descriptor, int descriptor) {
  return (int)linux_syscall(438, process_descriptor, descriptor, 0);
}

// struct sockaddr_nl, netlink(7), and the groups of rtnetlink(7) that hear of devices, and of routes by IPv4 and IPv6.
#define linux_family_netlink 16
#define linux_netlink_route 0
#define linux_route_groups 0x441
struct linux_netlink_address {
  unsigned short family, padding;
  unsigned process, groups;
};

// keyrings(7): add_key(2) and keyctl(2), which the C library lacks. Keys are of the type "user".
#define linux_thread_keyring (-1)
#define linux_user_keyring (-4)
#define linux_every_right_of_user 0x3f3f0000
static inline int linux_add_key(const char *name, const void *bytes, unsigned long count, int ring) {
  return (int)linux_syscall(SYS_add_key, "user", name, bytes, count, ring);
}
static inline int linux_find_key(int ring, const char *name) {
  return (int)linux_syscall(SYS_keyctl, 10, ring, "user", name, 0);
}
// The whole number of bytes, also where there is room for fewer.
static inline long linux_read_key(int key, void *bytes, unsigned long room) {
  return linux_syscall(SYS_keyctl, 11, key, bytes, room);
}
// The type, the user, the group, the rights and the name, between semicolons.
static inline long linux_describe_key(int key, char *text, unsigned long room) {
  return linux_syscall(SYS_keyctl, 6, key, text, room);
}
static inline long linux_permit_key(int key, unsigned rights) { return linux_syscall(SYS_keyctl, 5, key, rights); }
static inline long linux_link_key(int key, int ring) { return linux_syscall(SYS_keyctl, 8, key, ring); }
static inline long linux_unlink_key(int key, int ring) { return linux_syscall(SYS_keyctl, 9, key, ring); }

// memfd_create(2): for this process alone, and such that it can be sealed.
#define linux_memory_file_sealable 3
int linux_memory_file(const char *name, unsigned flags) __asm__("memfd_create");

// AF_BLUETOOTH, bits/socket.h.
#define linux_family_bluetooth 31

// pipe2(2): no process that another thread starts meanwhile gets the ends.
int linux_pipe(int *ends, int flags) __asm__("pipe2");

// POSIX_SPAWN_SETSID, posix_spawn(3).
#define linux_spawn_new_session 0x80

// struct ucred, unix(7): the process at the other end of a socket.
struct linux_peer {
  int process;
  unsigned user, group;
};

// SIOCOUTQ, unix(7) and tcp(7): how many bytes of a socket the other end has not taken; -1 for an error.
static inline int linux_unsent(int socket) {
  int count = -1;
  return linux_syscall(SYS_ioctl, socket, 0x5411, &count) == 0 ? count : -1;
}

// SIOCINQ, unix(7) and tcp(7): how many bytes of a socket have not been read; -1 for an error.
static inline int linux_unread(int socket) {
  int count = -1;
  return linux_syscall(SYS_ioctl, socket, 0x541b, &count) == 0 ? count : -1;
}

// F_SETSIG, F_SETOWN_EX and O_ASYNC, fcntl(2): a thread gets a signal for all that comes to a socket.
static inline void linux_tell_arrivals(int socket, int thread, int signal) {
  int owner[2] = {0, thread}; // F_OWNER_TID
  if (linux_syscall(SYS_fcntl, socket, 10, signal) != 0 || linux_syscall(SYS_fcntl, socket, 15, owner) != 0) return;
  linux_syscall(SYS_fcntl, socket, 4, linux_syscall(SYS_fcntl, socket, 3) | 020000);
}

// signalfd4(2): SFD_CLOEXEC and SFD_NONBLOCK; the kernel's set of signals has eight bytes.
static inline int linux_signal_descriptor(const void *signals) {
  return (int)linux_syscall(SYS_signalfd4, -1, signals, 8, 02004000);
}
static inline void linux_clear_signals(int descriptor) {
  char records[4 * 128];
  while (linux_syscall(SYS_read, descriptor, records, sizeof records) == sizeof records) {
  }
}

// struct timeval, as setsockopt(2) reads it.
struct linux_time_limit {
  long seconds, microseconds;
};

static inline int linux_thread(void) { return (int)linux_syscall(SYS_gettid); }
static inline void linux_signal_thread(int thread, int number) {
  linux_syscall(SYS_tgkill, linux_syscall(SYS_getpid), thread, number);
}

// capget(2), capset(2) and setfsuid(2), for tests.
#define linux_capability_version 0x20080522
#define linux_capability_system_resources 24
struct linux_capability_header {
  unsigned version;
  int thread;
};
struct linux_capability_set {
  unsigned effective, permitted, inheritable;
};
int linux_get_capabilities(struct linux_capability_header *, struct linux_capability_set[2]) __asm__("capget");
int linux_set_capabilities(struct linux_capability_header *, const struct linux_capability_set[2]) __asm__("capset");
int linux_set_file_user(unsigned user) __asm__("setfsuid");

// F_SETLEASE, fcntl(2).
#define linux_set_lease 1024

// PR_SET_NAME, prctl(2).
#define linux_set_thread_name 15
static inline void linux_name_thread(const char *name) {
  linux_syscall(SYS_prctl, linux_set_thread_name, name, 0, 0, 0);
}

enum { linux_frame_limit = 64 };

// The frames of a thread, written by the thread itself.
struct linux_frames {
  int count; // 0 until they are there: see linux_frame_count
  void *frames[linux_frame_limit];
};

static inline int linux_frame_count(struct linux_frames *answer) {
  return __atomic_load_n(&answer->count, __ATOMIC_ACQUIRE);
}

// siginfo_t of a signal with a value, sigaction(2).
struct linux_signal {
  int number, error, code;
  union {
    void *alignment;
    struct {
      int process;
      unsigned user;
      void *value;
    } from;
    char size[112];
  } origin;
};

enum { linux_signal_queued = -1 }; // SI_QUEUE

// The handler of the question: async-signal-safe once backtrace(3) has been called before, since the first call
// loads a library. The question comes with the signal, so that nothing has to be shared.
static inline void linux_answer(int number, struct linux_signal *signal, void *context) {
  (void)number;
  (void)context;
  int error = *linux_error();
  struct linux_frames *answer = signal->origin.from.value;
  if (signal->code == linux_signal_queued && signal->origin.from.process == linux_syscall(SYS_getpid) && answer) {
    int count = linux_backtrace(answer->frames, linux_frame_limit);
    __atomic_store_n(&answer->count, count, __ATOMIC_RELEASE);
  }
  *linux_error() = error;
}

// Asks a thread of this process, with a signal that linux_answer handles (rt_tgsigqueueinfo(2)).
static inline int linux_ask(int thread, int number, struct linux_frames *answer) {
  struct linux_signal signal = {number, 0, linux_signal_queued, {0}};
  int process = (int)linux_syscall(SYS_getpid);
  signal.origin.from.process = process;
  signal.origin.from.user = (unsigned)linux_syscall(SYS_getuid);
  signal.origin.from.value = answer;
  return (int)linux_syscall(SYS_rt_tgsigqueueinfo, process, thread, number, &signal);
}

// Sends the calling thread a signal that it handles, once more and with all that came with it.
static inline int linux_repeat(int number, const void *signal) {
  return (int)linux_syscall(SYS_rt_tgsigqueueinfo, linux_syscall(SYS_getpid), linux_syscall(SYS_gettid), number, signal);
}
