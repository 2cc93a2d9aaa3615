import Glibc

/// Lets a trap end this process without a backtrace, which of the tests' large program takes the run time many seconds:
/// for tests of a message.
package func endTrapsAtOnce() { for trap in [SIGILL, SIGTRAP] { signal(trap, SIG_DFL) } }
