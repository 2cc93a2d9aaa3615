// Nothing to call: the linker finds these functions in place of those of Swift's library.
