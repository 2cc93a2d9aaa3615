import CXCB
import Glibc

/// The pointer's picture, as the server shows it.
package struct CursorImage: Hashable, Sendable {
  package var width: Int
  package var height: Int
  /// `0xAARRGGBB`, row by row.
  package var pixels: [UInt32]

  package var isEmpty: Bool { pixels.allSatisfy { $0 >> 24 == 0 } }
}

extension XClient {
  /// XFixesGetCursorImage (fixesproto.txt, section 7): the picture of the pointer now.
  package func cursorImage() throws -> CursorImage {
    guard let major = majorOpcode("XFIXES") else { throw DeskFailure("the server has no XFIXES") }
    // XFixesQueryVersion has to come first.
    free(xcb_wait_for_reply(connection, request([major, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0], isVoid: false), nil))
    guard let reply = xcb_wait_for_reply(connection, request([major, 4, 0, 0], isVoid: false), nil) else {
      throw DeskFailure("no picture of the cursor")
    }
    defer { free(reply) }
    let width = Int(reply.load(fromByteOffset: 12, as: UInt16.self))
    let height = Int(reply.load(fromByteOffset: 14, as: UInt16.self))
    let pixels = (0..<width * height).map { reply.load(fromByteOffset: 32 + 4 * $0, as: UInt32.self) }
    return CursorImage(width: width, height: height, pixels: pixels)
  }
}
