/// What the process and its children use of the machine.
package struct ProcessUse: Equatable, Sendable {
  /// The processor time of all of them, and of the children that have ended, in seconds.
  package var seconds: Double
  /// Their open devices and sockets, each as often as it is open.
  package var files: [OpenFile]

  package init(seconds: Double = 0, files: [OpenFile] = []) { (self.seconds, self.files) = (seconds, files) }
}

/// An open device or socket.
package enum OpenFile: Hashable, Sendable {
  /// A file below `/dev`, by its path.
  case device(String)
  /// A local socket, by the name that its other end is bound to; empty where that has none.
  case local(peer: String)
  /// A socket of the internet, with the port of the other end; 0 where it is not connected.
  case internet(port: UInt16)
  /// A Bluetooth socket.
  case bluetooth
}
