public import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// A drag that began in this program, from ``Window/beginDrag(_:allowsMove:icon:hotSpot:localContext:ended:)`` to its
/// end.
@preconcurrency @MainActor public final class DragSession {
  /// What is dragged.
  public let items: [DragItem]
  /// Whether a target may move the items, so that their source removes them.
  public let allowsMove: Bool
  /// Anything, for targets in this program; the source's own at first.
  public var localContext: Any? { didSet { assertMainThread() } }
  /// The window that the drag began in.
  public private(set) weak var window: Window?

  /// The scene's session that the drag began in.
  let session: SceneSession
  private var icon: PopUpWindow?
  private var ended: (@MainActor (DropOperation) -> Void)?

  init(
    _ items: [DragItem], from window: Window, of session: SceneSession, allowsMove: Bool, icon: PopUpWindow?,
    ended: @escaping @MainActor (DropOperation) -> Void
  ) {
    (self.items, self.window, self.session, self.allowsMove) = (items, window, session, allowsMove)
    (self.icon, self.ended) = (icon, ended)
  }

  /// The types of all items, the best one first.
  var types: [String] {
    var types: [String] = []
    for item in items { for one in item.representations where !types.contains(one.type) { types.append(one.type) } }
    return types
  }

  /// The item that promises a file.
  var promisedFile: DragItem.PromisedFile? { items.lazy.compactMap(\.promisedFile).first }

  /// The data of a type: texts and URLs of all items, else of the first item that has it.
  func data(type: String) async -> Data? {
    let loads = items.compactMap { item in item.representations.first { $0.type == type }?.load }
    let isText = type == PasteboardItem.textType
    guard isText || type == DragItem.urlsType else { return await loads.first?() }
    var all: [Data] = []
    for load in loads { if let data = await load() { all.append(data) } }
    return all.isEmpty ? nil : Data(all.joined(separator: isText ? Data([0x0A]) : Data()))
  }

  func answer(_ request: DragRequest) async -> Data? {
    switch request {
    case .data(let type): return await data(type: type)
    case .save(let text):
      guard let file = promisedFile, let url = URIList.file(text) else { return nil }
      do {
        try await file.write(url)
        return Data()
      } catch {
        Application.report("The file \(url.path(percentEncoded: false)) was not written for a drop: \(error).")
        return nil
      }
    }
  }

  /// Takes what is dragged off the screen.
  func hideIcon() { icon.take()?.dismiss() }

  func end(_ operation: DropOperation) {
    hideIcon()
    ended.take()?(operation)
  }
}

/// What is dragged over a window of this program, by the user of this program or of another one.
///
/// The types are known at once. The data can be read while the drop is performed, and comes from the source, which may
/// be slow or die: reading ends without a result after five seconds without data from another program, and in any case
/// with the drop. Once another drag has begun in this program, nothing more can be read of an earlier drop.
@preconcurrency @MainActor public final class DropSession {
  /// The MIME types of what is dragged, the best one first; plain text is ``PasteboardItem/textType``.
  public let types: [String]
  /// The window that it is over.
  public private(set) weak var window: Window?
  /// Where the pointer is, in pixels of the window.
  public internal(set) var location: Point
  /// Whether the source would have the items moved: within this program, or as the user wants it by a key.
  public internal(set) var allowsMove: Bool
  /// The drag, where it began in this program.
  public let localDragSession: DragSession?
  private let platform: any Platform
  /// Whether the items have been dropped, and the drop has not ended.
  var isReadable = false
  /// Asks for the answer again.
  var update: (@MainActor () -> Void)?
  /// The reads that have begun; those that have their answer, too.
  private var reads: [MainActorContinuation<PasteboardItem?>] = []

  init(
    _ offer: DropOffer, over window: Window, at location: Point, drag: DragSession?, _ platform: any Platform
  ) {
    types = offer.types
    allowsMove = offer.allowsMove
    (self.window, self.location, self.platform) = (window, location, platform)
    localDragSession = offer.isOwn ? drag : nil
  }

  /// Asks ``DropReceiver/dropMoved(_:)`` again at once, although the pointer has not moved: what is below it has.
  ///
  /// Does nothing once the items have been dropped or have left the window.
  public func setNeedsUpdate() { update?() }

  /// Whether there is data of one of these types.
  /// - Parameter types: The MIME types.
  /// - Returns: Whether there is.
  public func hasItems(ofTypes types: [String]) -> Bool { types.contains { self.types.contains($0) } }

  /// Reads the data, in the first of these types that the source has, while the drop is performed.
  /// - Parameter types: The MIME types, the best one first.
  /// - Returns: The type and the bytes; nil where there are none, or the source does not answer.
  public func item(ofTypes types: [String]) async -> PasteboardItem? {
    let types = types.filter { self.types.contains($0) }
    guard isReadable, !types.isEmpty else { return nil }
    return await withMainActorContinuation { continuation in
      reads.append(continuation)
      platform.read(types, from: .drag) { continuation.resume(returning: $0) }
    }
  }

  /// The drop is over: what still waits for its source goes on without an answer.
  func endReading() {
    isReadable = false
    for read in exchange(&reads, with: []) { read.resume(returning: nil) }
  }

  /// Reads the text, while the drop is performed.
  /// - Returns: The text; nil where there is none.
  public func text() async -> String? {
    await item(ofTypes: [PasteboardItem.textType]).map { String(decoding: $0.data, as: UTF8.self) }
  }

  /// Reads the URLs, of files and others, while the drop is performed.
  ///
  /// A file of this machine has a URL without a machine's name; one of another machine has that in `host`.
  /// - Returns: The URLs; empty where there are none.
  public func urls() async -> [URL] {
    await item(ofTypes: [DragItem.urlsType]).map { URIList.decode($0.data) } ?? []
  }
}

/// The content of a window that takes drops: the door for toolkits.
///
/// The views of `ProsceniumUI` are such a content. A window takes none before ``Window/acceptDrops()``. All functions
/// are called on the main thread, while the scene is in the foreground and not interrupted, and no alert is above the
/// window.
@MainActor public protocol DropReceiver: WindowContent {
  /// Called when something comes over the window, and whenever it moves there.
  ///
  /// On X11 the answer goes to the source as XdndStatus.
  /// - Parameter session: What is dragged, and where it is.
  /// - Returns: What would happen if it were dropped there.
  func dropMoved(_ session: DropSession) -> DropOperation

  /// Called when it has left the window, or its source has ended the drag or died.
  /// - Parameter session: What was dragged.
  func dropExited(_ session: DropSession)

  /// Called once when it is dropped, after an answer that takes it; ``dropExited(_:)`` does not follow.
  ///
  /// The source waits for the return (XdndFinished), and takes its time: a minute at most.
  /// - Parameter session: What is dropped.
  /// - Returns: What has happened: ``DropOperation/move`` has the source remove the items.
  func performDrop(_ session: DropSession) async -> DropOperation
}
