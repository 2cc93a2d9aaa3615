import ProsceniumPlatform

/// How monitors are turned: RandR's monitors do not say, its CRTCs do.
extension X11Platform {
  /// More are of no real machine.
  private static let mostControllers = 64

  /// Finds out how the CRTCs are turned, and then goes on.
  func askRotations(_ next: @escaping @MainActor () -> Void) {
    guard screens.work.isFollowed, let connection, let extensions else { return next() }
    let sequence = extensions.send(.randrGetScreenResources(window: connection.screen.root))
    connection.whenReplied(sequence) { [weak self] reply in
      guard let self, let reply, let time = reply.u32(8 + 4) else { return next() }
      // RRGetScreenResourcesCurrent's reply: the number of CRTCs at 16, and they from 32 on.
      let controllers = reply.u32s(32, count: min(Int(reply.u16(16) ?? 0), Self.mostControllers))
      screens.rotations = [:]
      guard let last = controllers.last else { return next() }
      for controller in controllers {
        let sequence = extensions.send(.randrGetCrtcInfo(controller, time: time))
        connection.whenReplied(sequence) { [weak self] reply in
          if let (frame, rotation) = reply.flatMap(ScreenRotation.decode) {
            self?.screens.rotations[frame] = self?.screens.rotations[frame] ?? rotation
          }
          if controller == last { next() }
        }
      }
    }
  }
}

extension ScreenRotation {
  /// RRGetCrtcInfo's reply (randrproto.txt, appendix A): x at 12, y at 14, width at 16, height at 18, mode at 20, rotation at
  /// 24; nil where the CRTC shows nothing.
  static func decode(_ reply: ReplyBytes) -> (Rect, ScreenRotation)? {
    guard let x = reply.i16(12), let y = reply.i16(14), let width = reply.u16(16), let height = reply.u16(18),
      let mode = reply.u32(20), let bits = reply.u16(24), mode != 0, width > 0, height > 0
    else { return nil }
    // Rotate_0 1, Rotate_90 2, Rotate_180 4, Rotate_270 8, counterclockwise; reflections above.
    let rotation: ScreenRotation =
      switch bits & 15 {
      case 2: .left
      case 4: .inverted
      case 8: .right
      case _: .normal
      }
    return (Rect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)), rotation)
  }
}
