import ProsceniumPlatform

/// The secret of the program's notices, which the portal carries to the user's choice: a response that another program
/// has made up lacks it.
///
/// Made at the first notice, and kept from then on, so that a choice may start the program. Nothing is read or made in
/// a program without notices and responses.
@MainActor final class NoticeKey {
  private let keep: @MainActor (_ new: String?) -> String?
  private var known: String?

  /// - Parameter keep: Answers the key that is kept, nil where there is none; the new one that it is given is kept
  ///   then.
  init(_ keep: @escaping @MainActor (_ new: String?) -> String?) { self.keep = keep }

  /// The key for a notice that is about to be shown; where none can be kept, one that counts while the program runs.
  func forNotice() -> String {
    if let known { return known }
    let new = Self.make()
    let key = keep(new) ?? new
    known = key
    return key
  }

  /// Whether a response is one to a notice of this program.
  func accepts(_ target: NoticeTarget) -> Bool {
    known = known ?? keep(nil)
    return known == target.key
  }

  /// 256 bits of the system's random numbers.
  static func make() -> String {
    (0..<4).map { _ in
      let text = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }
}

/// What the portal carries of a notice: the key, a space, and the response.
struct NoticeTarget: Equatable {
  /// What the caller of an action that is refused is told, and the trace.
  static let refusal = "the response is to no notice of this program"

  var key: String
  var response: UserNotificationResponse

  /// Reads such a text; one without a key has the key `""`.
  init?(_ text: String) {
    let end = text.firstIndex { $0 == " " || $0 == "{" } ?? text.startIndex
    guard let response = UserNotificationResponse(text: String(text[end...].drop { $0 == " " })) else { return nil }
    (key, self.response) = (String(text[..<end]), response)
  }

  init(key: String, _ response: UserNotificationResponse) { (self.key, self.response) = (key, response) }

  var text: String { key + " " + (response.text ?? "") }
}
