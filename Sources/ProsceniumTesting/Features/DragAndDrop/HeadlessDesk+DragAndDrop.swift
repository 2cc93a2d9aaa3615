public import FoundationEssentials
public import ProsceniumCore
import ProsceniumPlatform

/// Drag and drop on a desk.
///
/// A drag of the program begins as the user's does: the test presses the first button in a window and moves the pointer
/// (``HeadlessDesk/send(_:to:)``). From then on it moves what is dragged, and lets it go.
extension HeadlessDesk {
  /// Whether something is dragged, by this program or another one.
  public var isDragging: Bool { program.platform.drags.isDragging }

  /// Begins to drag items of another program.
  /// - Parameters:
  ///   - items: The representations of what is dragged, the best one first.
  ///   - allowsMove: Whether the user would move them.
  public func drag(_ items: [PasteboardItem], allowsMove: Bool = false) {
    program.platform.beginForeignDrag(items, allowsMove: allowsMove)
  }

  /// Moves what is dragged.
  /// - Parameters:
  ///   - window: The window that it is over; nil for none of the program.
  ///   - location: Where, in pixels of the window, or of the desktop without one.
  /// - Returns: What the program would do if it were dropped there.
  @discardableResult
  public func moveDrag(over window: Window?, to location: Point) -> DropOperation {
    program.platform.moveDrag(over: window?.id, to: location)
    return program.platform.drags.answer
  }

  /// Drops what is dragged.
  ///
  /// A window of the program reads it when the main actor is free: the test awaits ``HeadlessProgram/waits(until:)``.
  /// - Parameter operation: What another program does with it, where it is over no window of this one; nil where
  ///   nothing takes it.
  public func dropDrag(elsewhere operation: DropOperation? = nil) {
    program.platform.dropDrag(elsewhere: operation)
  }

  /// Ends the drag without a drop: its source gives it up, or dies.
  public func cancelDrag() { program.platform.cancelDrag() }

  /// What the program has done with what was dropped last; nil before it has read that.
  public var lastDrop: DropOperation? { program.platform.drags.finished }

  /// Reads what the program drags, as another program does.
  /// - Parameter type: The MIME type.
  /// - Returns: The data; nil where there is none.
  public func dataOfDrag(type: String) async -> Data? { await answer(to: .data(type: type)) }

  /// Has the program write the file that its drag promises, as a file manager does.
  /// - Parameter url: Where the file is written.
  /// - Returns: Whether it is there.
  public func savePromisedFile(to url: URL) async -> Bool { await answer(to: .save(url: url.absoluteString)) != nil }

  /// The name of the file that the program's drag promises; nil for none.
  public var promisedFileName: String? { program.platform.drags.offer?.fileName }

  private func answer(to request: DragRequest) async -> Data? {
    guard let offer = program.platform.drags.offer else { return nil }
    return await withCheckedContinuation { continuation in
      offer.provide(request) { continuation.resume(returning: $0) }
    }
  }
}
