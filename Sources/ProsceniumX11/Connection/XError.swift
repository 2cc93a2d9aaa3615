/// An error that the server sent for a request (X protocol, section 4 "Errors").
struct XError: Hashable, Sendable {
  var code: UInt8
  var sequence: UInt32
  var majorOpcode: UInt8
  var minorOpcode: UInt16
  var resource: UInt32

  /// The error's name in the protocol; extensions' errors have numbers of their own.
  var name: String {
    let names = [
      "Request", "Value", "Window", "Pixmap", "Atom", "Cursor", "Font", "Match", "Drawable", "Access", "Alloc",
      "Colormap", "GContext", "IDChoice", "Name", "Length", "Implementation",
    ]
    let index = Int(code) - 1
    return names.indices.contains(index) ? "Bad" + names[index] : "error \(code)"
  }

  /// A line for the trace, naming the request as far as it is recorded.
  func message(_ request: SentRequest?) -> String {
    let name = request.map { "\($0.name)" } ?? "request \(majorOpcode).\(minorOpcode)"
    let window = request.map { $0.window == 0 ? "" : " on window 0x" + String($0.window, radix: 16) } ?? ""
    return "the X server refused \(name)\(window): \(self.name) (0x\(String(resource, radix: 16)))"
  }
}
