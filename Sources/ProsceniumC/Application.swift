// The functions are named and documented in proscenium.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CProscenium
import Proscenium
import ProsceniumLoop

// The functions of the header about the application, errors and background tasks.

@c @implementation public func psc_error_message() -> UnsafePointer<CChar>! { ErrorMessage.text }

@c @implementation public func psc_version() -> UnsafePointer<CChar>! {
  let version: StaticString = "0.1.0"
  return UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation public func psc_attach(
  _ application: UnsafePointer<psc_application>!, _ argc: Int32, _ argv: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 {
  onMainThread(application, argc, argv) { application, argc, argv throws(Failure) in
    try Attachment.attach(application, argc, argv)
  }
}

@c @implementation public func psc_descriptor() -> Int32 {
  onMainThread { () throws(Failure) in try Attachment.running().descriptor }
}

@c @implementation public func psc_time_to_next_turn() -> Int64 {
  onMainThread { () throws(Failure) in nanoseconds(try Attachment.running().timeToNextTurn) }
}

@c @implementation public func psc_turn() -> Int32 {
  onMainThread { () throws(Failure) in
    // As in every other callback.
    if Attachment.isLaunching { return Int32(PSC_OK) }
    guard let attachment = Attachment.current else { throw .noApplication }
    attachment.turn()
    return Int32(attachment.exitStatus == nil ? PSC_OK : PSC_ENDED)
  }
}

@c @implementation public func psc_exit_status() -> Int32 {
  onMainThread { () throws(Failure) in
    guard let status = Attachment.exitStatus else {
      throw Failure(PSC_ERROR_STATE, "The application has not ended.")
    }
    return status
  }
}

@c @implementation public func psc_terminate(_ status: Int32) -> Int32 {
  onMainThread(status) { status throws(Failure) in
    _ = try Program.running()
    guard 0...255 ~= status else {
      throw Failure(PSC_ERROR_ARGUMENT, "The status \(status) is none of a process: 0 to 255.")
    }
    Application.shared.terminate(status: status)
    return Int32(PSC_OK)
  }
}

@c @implementation public func psc_reply_to_should_terminate(_ terminates: Int32) -> Int32 {
  onMainThread(terminates) { terminates throws(Failure) in
    _ = try Program.running()
    Application.shared.reply(toApplicationShouldTerminate: terminates != 0)
    return Int32(PSC_OK)
  }
}

// MARK: Background tasks

@c @implementation public func psc_task_begin(
  _ name: UnsafePointer<CChar>!, _ expired: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!,
  _ data: UnsafeMutableRawPointer!
) -> psc_task {
  do throws(Failure) {
    let name = try text(name, "name of the task")
    // The program's own pointer, which it gets back on the main thread.
    nonisolated(unsafe) let data = data
    let task = Application.shared.beginBackgroundTask(withName: name ?? "psc_task_begin") { expired?(data) }
    guard task != .invalid else {
      throw Failure(
        PSC_ERROR_STATE,
        "No background time is left: finish the work in the present callback, or do it at the next start.")
    }
    return UInt64(task.rawValue)
  } catch {
    return fail(error)
  }
}

@c @implementation public func psc_task_end(_ task: psc_task) -> Int32 {
  guard let number = Int(exactly: task) else {
    return fail(Failure(PSC_ERROR_GONE, "There is no background task \(task)."))
  }
  Application.shared.endBackgroundTask(BackgroundTaskIdentifier(rawValue: number))
  return Int32(PSC_OK)
}

@c @implementation public func psc_background_time_remaining() -> Int64 {
  nanoseconds(Application.shared.backgroundTimeRemaining)
}

/// A time for C; nil for never.
private func nanoseconds(_ time: Duration?) -> Int64 {
  guard let time, time < .seconds(Int64.max / 1_000_000_000) else { return .max }
  let (seconds, rest) = time.components
  return max(0, seconds * 1_000_000_000 + rest / 1_000_000_000)
}

/// The application in the program's loop: one in a process.
@MainActor enum Attachment {
  /// The attachment, also once it has ended.
  private(set) static var current: LoopAttachment?
  /// The status of a launch that left nothing to run.
  private static var endedLaunch: Int32?
  private static var hasLaunched = false

  /// Within `psc_attach()`.
  private(set) static var isLaunching = false
  static var exitStatus: Int32? { endedLaunch ?? current?.exitStatus }

  static func running() throws(Failure) -> LoopAttachment {
    guard !isLaunching else {
      throw Failure(PSC_ERROR_STATE, "The application is being launched: call this once psc_attach() has returned.")
    }
    guard let current, current.exitStatus == nil else { throw .noApplication }
    return current
  }

  static func attach(
    _ application: UnsafePointer<psc_application>?, _ argc: Int32,
    _ argv: UnsafePointer<UnsafeMutablePointer<CChar>?>?
  ) throws(Failure) -> Int32 {
    guard !hasLaunched else {
      throw Failure(PSC_ERROR_STATE, "The process has an application already: attach one, once.")
    }
    guard argc >= 0, argc == 0 || argv != nil else {
      throw Failure(PSC_ERROR_ARGUMENT, "The arguments are NULL: pass main()'s, or 0 and NULL.")
    }
    let arguments = (0..<Int(argc)).compactMap { index in argv?[index].map { String(cString: $0) } }
    guard arguments.count == argc else {
      throw Failure(PSC_ERROR_ARGUMENT, "Of \(argc) arguments one is NULL: pass main()'s argc and argv.")
    }
    let program = try Program.make(application)
    (hasLaunched, isLaunching) = (true, true)
    // Also where the launch fails: nothing runs then.
    defer { isLaunching = false }
    do {
      let attachment = try Application.attach(arguments: arguments.isEmpty ? ["program"] : arguments) { program }
      (current, program.attachment) = (attachment, attachment)
      return Int32(PSC_OK)
    } catch let ended as LaunchEnded where ended.status == 0 || program.hasLaunched {
      if program.hasLaunched { Program.forget() }
      endedLaunch = ended.status
      return Int32(PSC_ENDED)
    } catch {
      Program.forget()
      guard let ended = error as? LaunchEnded else {
        throw Failure(PSC_ERROR_SYSTEM, "The application was not launched: \(error)")
      }
      endedLaunch = ended.status
      throw Failure(
        PSC_ERROR_SYSTEM,
        "The application was not launched, as standard error tells: exit with the status \(ended.status).")
    }
  }
}
