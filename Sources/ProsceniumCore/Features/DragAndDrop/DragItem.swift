public import FoundationEssentials
import Glibc
import ProsceniumPlatform

/// One of the things that the user drags, in as many representations as its source can make.
///
/// ```swift
/// let item = DragItem(text: note.title)
/// item.registerData(type: "image/png") { await note.picture.png() }
/// item.localObject = note
/// ```
///
/// Nothing is made before a target asks for it. On X11 the representations are targets of `XdndSelection`.
@preconcurrency @MainActor public final class DragItem {
  /// The MIME type of lists of URIs: RFC 2483.
  public nonisolated static let urlsType = "text/uri-list"

  struct Representation {
    var type: String
    var load: @Sendable () async -> Data?
  }

  struct PromisedFile {
    var name: String
    var write: @Sendable (URL) async throws -> Void
  }

  private(set) var representations: [Representation] = []
  private(set) var promisedFile: PromisedFile?

  /// What the item stands for, for targets in this program; nil at first.
  public var localObject: Any? { didSet { assertMainThread() } }

  /// What a scene of its own would show of the item; nil at first.
  ///
  /// Where the user drops the item on nothing that takes it, and the program may have several scenes, one is requested
  /// for the activity, as by ``Application/activateSceneSession(for:errorHandler:)``; a new window appears at the
  /// pointer.
  public var userActivity: UserActivity? { didSet { assertMainThread() } }

  /// Makes an item without a representation, which only targets in this program can take.
  public init() {}

  /// Makes an item of a text.
  /// - Parameter text: The text.
  public convenience init(text: String) {
    self.init()
    registerData(type: PasteboardItem.textType) { Data(text.utf8) }
  }

  /// Makes an item of a URL: a file, or any other.
  /// - Parameter url: The URL, which is offered as text too.
  public convenience init(url: URL) {
    self.init()
    let text = url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
    registerData(type: Self.urlsType) { URIList.encode([url]) }
    registerData(type: PasteboardItem.textType) { Data(text.utf8) }
  }

  /// Adds a representation; the best one first.
  /// - Parameters:
  ///   - type: The MIME type, such as `image/png`. Of each type the first representation counts.
  ///   - load: Makes the data, when a target asks for it; called off the main thread, unless it is isolated to an
  ///     actor, and for each question again. Nil where it cannot be made.
  public func registerData(type: String, _ load: @escaping @Sendable () async -> Data?) {
    assertMainThread()
    guard !representations.contains(where: { $0.type == type }) else { return }
    representations.append(Representation(type: type, load: load))
  }

  /// Promises a file, which is written where the user drops the item.
  ///
  /// Targets are file managers; a file that exists already has a URL instead. Of several items one can promise a file.
  /// On X11 this is the direct save protocol (XDS).
  /// - Parameters:
  ///   - name: The file's name, without a folder: the target may choose another one.
  ///   - write: Writes the file; called once, off the main thread unless it is isolated to an actor.
  public func promiseFile(named name: String, _ write: @escaping @Sendable (URL) async throws -> Void) {
    assertMainThread()
    promisedFile = PromisedFile(name: String(name.map { $0 == "/" ? "-" : $0 }), write: write)
  }
}

/// Lists of URIs as programs exchange them (RFC 2483, section 5), and the files of this machine among them.
enum URIList {
  static func encode(_ urls: [URL]) -> Data { Data(urls.map { $0.absoluteString + "\r\n" }.joined().utf8) }

  static func decode(_ data: Data, host: String = ownHost) -> [URL] {
    String(decoding: data, as: UTF8.self).split { $0.isNewline || $0 == "\0" }
      .filter { !$0.hasPrefix("#") }
      .compactMap { url(String($0), host: host) }
  }

  /// A URL of a text; one of a file on this machine names no machine (RFC 8089).
  static func url(_ text: String, host: String = ownHost) -> URL? {
    guard let url = URL(string: text), url.scheme?.isEmpty == false else { return nil }
    guard url.isFileURL, let named = url.host(percentEncoded: false), !named.isEmpty else { return url }
    guard isOwn(named, host) else { return url }
    return URL(filePath: url.path(percentEncoded: false))
  }

  /// The file of this machine that a text names; nil for any other URL.
  static func file(_ text: String, host: String = ownHost) -> URL? {
    guard let url = url(text, host: host), url.isFileURL, (url.host(percentEncoded: false) ?? "").isEmpty,
      url.path(percentEncoded: false).hasPrefix("/")
    else { return nil }
    return url
  }

  private static func isOwn(_ name: String, _ host: String) -> Bool {
    let name = name.lowercased()
    return name == "localhost" || !host.isEmpty && name == host.lowercased()
  }

  /// The name of this machine.
  static var ownHost: String {
    var bytes = [CChar](repeating: 0, count: 257)
    guard gethostname(&bytes, 256) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
