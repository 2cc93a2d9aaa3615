import CXCB
import ProsceniumPlatform

extension ScreenRotation {
  /// The place and the rotation in RRGetCrtcInfo's reply; nil where the CRTC shows nothing.
  static func decode(_ reply: ReplyBytes) -> (Rect, ScreenRotation)? {
    guard let crtc = reply.read(randr_crtc_reply.self), crtc.mode != 0, crtc.width > 0, crtc.height > 0 else {
      return nil
    }
    // Counterclockwise; reflections are other bits.
    let rotation: ScreenRotation =
      switch UInt32(crtc.rotation) & RANDR_ROTATIONS.rawValue {
      case RANDR_ROTATE_90.rawValue: .left
      case RANDR_ROTATE_180.rawValue: .inverted
      case RANDR_ROTATE_270.rawValue: .right
      case _: .normal
      }
    return (Rect(x: Int(crtc.x), y: Int(crtc.y), width: Int(crtc.width), height: Int(crtc.height)), rotation)
  }
}
