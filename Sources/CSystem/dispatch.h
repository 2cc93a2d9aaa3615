// libdispatch's main queue, for a run loop that is not its own: the calls of CoreFoundation's run loop on Linux,
// which libdispatch exports and has in no header.

// An eventfd that is readable while the main queue has work.
int dispatch_main_queue_descriptor(void) __asm__("_dispatch_get_main_queue_handle_4CF");

// Runs what is in the main queue; the message is always null.
void dispatch_run_main_queue(void *message) __asm__("_dispatch_main_queue_callback_4CF");
