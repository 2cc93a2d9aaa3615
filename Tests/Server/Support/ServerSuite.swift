import Testing

/// What starts servers and window managers of its own, one after the other, beside the tests of the platform.
@Suite("On a server of its own", .serialized, .timeLimit(.minutes(10)))
enum OwnServer {}
