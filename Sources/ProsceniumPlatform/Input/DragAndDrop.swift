package import FoundationEssentials

/// What happens to dragged items where they are dropped.
public enum DropOperation: String, Hashable, Sendable, CaseIterable {
  /// Nothing: the drop is not wanted now, or has come to nothing.
  case cancel
  /// Nothing: items like these cannot be dropped here, which the pointer shows.
  case forbidden
  /// They are copied.
  case copy
  /// They are moved: their source removes them.
  case move

  /// Whether something is dropped.
  package var takes: Bool { self == .copy || self == .move }
}

/// What the program drags, as the window system offers it to others.
package struct DragOffer: Sendable {
  /// The MIME types, the best one first.
  package var types: [String]
  package var allowsMove: Bool
  /// The name of a file that is written where the items are dropped; nil for none.
  package var fileName: String?
  /// The window that follows the pointer, and where in it the pointer is, in pixels: outside of it, so that what is
  /// below the pointer can be found.
  package var icon: WindowID?
  package var hotSpot: Point
  /// Makes the data; calls back once, on the main thread, with nil where there is none.
  package var provide: @MainActor @Sendable (DragRequest, @escaping @MainActor (Data?) -> Void) -> Void

  package init(
    types: [String], allowsMove: Bool = false, fileName: String? = nil, icon: WindowID? = nil,
    hotSpot: Point = Point(x: 0, y: 0),
    provide: @escaping @MainActor @Sendable (DragRequest, @escaping @MainActor (Data?) -> Void) -> Void
  ) {
    self.types = types
    self.allowsMove = allowsMove
    self.fileName = fileName
    self.icon = icon
    self.hotSpot = hotSpot
    self.provide = provide
  }
}

/// What a target of a drag asks for.
package enum DragRequest: Hashable, Sendable {
  case data(type: String)
  /// The promised file is to be written there; the data of the answer is of no meaning.
  case save(url: String)
}

/// What becomes of the program's own drag.
package enum DragEvent: Hashable, Sendable {
  /// The button is up: the pointer is free, and the target may be reading.
  case released
  case ended(DragEnd)
}

/// The end of a drag.
package enum DragEnd: Hashable, Sendable {
  /// A target has had the items, or, with an operation that takes nothing, has given them up.
  case dropped(DropOperation)
  /// The button came up at a point of the desktop, in pixels, where nothing takes the items.
  case nowhere(Point)
  case cancelled
}

/// Names one visit of a drag to a window.
package struct DropID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// Dragged items over a window.
package struct DropOffer: Hashable, Sendable {
  /// The MIME types, the best one first.
  package var types: [String]
  /// Whether this program drags them.
  package var isOwn: Bool
  /// Whether their source suggests to move them.
  package var allowsMove: Bool

  package init(types: [String], isOwn: Bool = false, allowsMove: Bool = false) {
    self.types = types
    self.isOwn = isOwn
    self.allowsMove = allowsMove
  }
}

/// What happens with dragged items over a window.
package enum DropEvent: Hashable, Sendable {
  /// They are at a point of the window, in pixels; answered by ``PlatformCommand/answerDrop(_:_:)``.
  case moved(DropID, Point, DropOffer)
  /// They have gone, or their source has.
  case exited(DropID)
  /// They are dropped, after an answer that takes them; ended by ``PlatformCommand/finishDrop(_:_:)``.
  case dropped(DropID)
}
