import ProsceniumPlatform

/// The pasteboards of a desk in memory; answers are given by the loop.
@MainActor struct HeadlessPasteboards {
  var items: [PasteboardName: [PasteboardItem]] = [:]
  private(set) var answers: [@MainActor () -> Void] = []

  mutating func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    let items = items[pasteboard] ?? []
    let item = types.lazy.compactMap { type in items.first { $0.type == type } }.first
    answers.append { completion(item) }
  }

  mutating func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    let types = (items[pasteboard] ?? []).map(\.type)
    answers.append { completion(types) }
  }

  /// Removes and returns the answers that are due.
  mutating func takeAnswers() -> [@MainActor () -> Void] {
    defer { answers = [] }
    return answers
  }
}
