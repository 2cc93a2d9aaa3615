import CSystem
import ProsceniumLoop

/// Writes values into a message.
struct BusWriter {
  let library: sd_bus_library
  let message: OpaquePointer

  /// Appends values; false where one cannot be sent: a text with a zero in it, an invalid path or signature.
  func append(_ values: [BusValue]) -> Bool { values.allSatisfy { append($0) } }

  private func append(_ value: BusValue) -> Bool {
    switch value {
    case .byte(let number): basic("y", number)
    case .bool(let flag): basic("b", Int32(flag ? 1 : 0))
    case .int16(let number): basic("n", number)
    case .uint16(let number): basic("q", number)
    case .int32(let number): basic("i", number)
    case .uint32(let number): basic("u", number)
    case .int64(let number): basic("x", number)
    case .uint64(let number): basic("t", number)
    case .double(let number): basic("d", number)
    case .string(let text): self.text("s", text)
    case .objectPath(let text): self.text("o", text)
    case .signature(let text): self.text("g", text)
    // The library duplicates it.
    case .descriptor(let descriptor): basic("h", descriptor.descriptor.number)
    case .array(let element, let values): container("a", element) { append(values) }
    case .dictionary(let key, let value, let pairs):
      container("a", "{\(key)\(value)}") {
        pairs.allSatisfy { pair in container("e", key + value) { append(pair.key) && append(pair.value) } }
      }
    case .structure(let fields): container("r", fields.map(\.signature).joined()) { append(fields) }
    case .variant(let value): container("v", value.signature) { append(value) }
    }
  }

  private func basic<Number>(_ type: Character, _ number: Number) -> Bool {
    withUnsafePointer(to: number) { library.sd_bus_message_append_basic(message, code(type), $0) >= 0 }
  }

  private func text(_ type: Character, _ text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { library.sd_bus_message_append_basic(message, code(type), $0) >= 0 }
  }

  private func container(_ type: Character, _ contents: String, _ body: () -> Bool) -> Bool {
    library.sd_bus_message_open_container(message, code(type), contents) >= 0 && body()
      && library.sd_bus_message_close_container(message) >= 0
  }

  private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
