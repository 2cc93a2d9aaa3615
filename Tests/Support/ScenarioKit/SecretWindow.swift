package import ProsceniumCore

/// A window that is painted by hand, with something in it that its scene hides in the background.
package final class SecretWindow: Window {
  package static let secret = Color(rgb: 0xB00B1E)
  package static let ground = Color(rgb: 0x2468AC)
  package var showsSecret = true

  package override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    if !showsSecret { Probe.current.callback("drawInBackground") }
    if showsSecret { Probe.current.beSlow("draw") }
    for rect in damage { buffer.fill(rect, with: Self.ground) }
    if showsSecret { buffer.fill(Rect(x: 40, y: 30, width: 60, height: 20), with: Self.secret) }
  }
}
