// What Swift's Mutex does when another thread has it, in code that the thread sanitizer sees (Tests/sanitize thread).
//
// Mutex takes and leaves a lock that is free in code that is compiled with its user, and waits for one that is taken in
// Swift's library, which no sanitizer watches: it then takes two threads, one after the other under one lock, for a
// race. These two functions stand in for the library's, in programs that link them: the same word, waited for with
// atomic operations that the sanitizer knows.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void proscenium_lock_slow(uint32_t owner, SELF void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void proscenium_lock_slow(uint32_t owner, SELF void *handle) {
  _Atomic(uint32_t) *word = handle;
  for (uint32_t unowned = 0; !atomic_compare_exchange_weak_explicit(
           word, &unowned, owner, memory_order_acquire, memory_order_relaxed);
       unowned = 0)
    sched_yield();
}

// Synchronization._MutexHandle._unlockSlow(): no thread waits in the kernel, so that it has none to wake.
SWIFT void proscenium_unlock_slow(SELF void *handle)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void proscenium_unlock_slow(SELF void *handle) {
  atomic_store_explicit((_Atomic(uint32_t) *)handle, 0, memory_order_release);
}
