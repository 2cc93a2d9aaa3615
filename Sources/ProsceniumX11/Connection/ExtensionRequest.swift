/// A request of an extension, laid out here, so that only libxcb itself is linked.
///
/// Each function in ExtensionRequest+Table.swift is one request.
struct ExtensionRequest {
  let `extension`: ExtensionName
  /// The minor opcode.
  let opcode: UInt8
  /// Whether the request has no reply.
  let isVoid: Bool
  let name: StaticString
  /// The words after the 4-byte header.
  let words: [UInt32]

  init(_ extension: ExtensionName, _ opcode: UInt8, _ name: StaticString, isVoid: Bool = true, _ words: [UInt32]) {
    self.extension = `extension`
    self.opcode = opcode
    self.isVoid = isVoid
    self.name = name
    self.words = words
  }
}
