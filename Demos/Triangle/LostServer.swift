import Glibc

/// Ends the program where a driver waits for a server that has gone.
///
/// Mesa can wait for ever for the end of a frame, on the main thread, whose loop would otherwise detect the loss and
/// end the program.
enum LostServer {
  /// Seconds that the loop has got to end the program in order.
  private static let timeout: UInt32 = 5

  /// Watches an `xcb_connection_t`, on a thread that sleeps until the connection is cut.
  static func watch(_ connection: OpaquePointer) {
    typealias Descriptor = @convention(c) (OpaquePointer) -> Int32
    guard let symbol = dlsym(nil, "xcb_get_file_descriptor") else { return }
    let descriptor = unsafeBitCast(symbol, to: Descriptor.self)(connection)
    var thread = pthread_t()
    let number = UnsafeMutableRawPointer(bitPattern: Int(descriptor))
    let failure = pthread_create(&thread, nil, { LostServer.wait(Int32(Int(bitPattern: $0))) }, number)
    if failure == 0 { pthread_detach(thread) }
  }

  private static func wait(_ descriptor: Int32) -> UnsafeMutableRawPointer? {
    // No events are requested: errors and hang-ups are reported in any case (poll(2)).
    var watched = pollfd(fd: descriptor, events: 0, revents: 0)
    while poll(&watched, 1, -1) < 0, errno == EINTR {}
    sleep(timeout)
    let text = "Triangle: the X server has gone, and the driver still waits for it.\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
    _exit(1)
  }
}
