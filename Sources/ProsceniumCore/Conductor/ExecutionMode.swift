/// A reason for which the program runs although nobody looks: the work that it begins with
/// ``Application/beginExecution(_:reason:)``.
///
/// All modes have the same effect: the program is not suspended while one is held. They name what the program does, for
/// the trace, and for a debug build, which reports a mode that is held without that work. What the work may not do is
/// the same for all of them: nothing is drawn in the background, no grab is held there, and nothing is presented.
public enum ExecutionMode: String, Hashable, Sendable, CaseIterable {
  /// The user hears the program, or the program records what the user says.
  ///
  /// It may play and record, decode, and read files and the network for that. It ends when the playback is paused.
  /// A connection to a sound server counts as use, also one over which nothing is played: the server alone knows that.
  case audio
  /// The program follows where the machine is, for a route or a track that the user has asked for.
  ///
  /// It may receive positions, and store or send them.
  case location
  /// The program answers others over the network, or waits for them: a call, a chat, a server that the user began.
  ///
  /// It may keep connections and listening sockets open, and answer on them. A transfer that ends by itself is a
  /// background task (``Application/beginBackgroundTask(withName:expirationHandler:caller:)``) where it takes seconds.
  case network
  /// The program computes something that the user waits for, and that takes longer than a background task may: an
  /// export, a conversion, an index.
  ///
  /// It may use the processor and the disk. Work that nobody waits for belongs into a background task.
  case processing
  /// The program exchanges data with a device: a camera, a printer, a phone, a serial port, a controller.
  ///
  /// It may keep the device open, and read and write it.
  case accessory
}
