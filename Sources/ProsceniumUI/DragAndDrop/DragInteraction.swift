public import ProsceniumCore

/// Something that a view lets the user do, besides its own input: see `View.addInteraction(_:)`.
@preconcurrency @MainActor public protocol Interaction: AnyObject {
  /// The view that has it.
  var view: View? { get }

  /// Called when a view has got it, or has lost it.
  /// - Parameter view: The view; nil for none.
  func didMove(to view: View?)
}

/// Lets the user drag items out of a view: to views of the program, to its other windows, and to other programs.
///
/// ```swift
/// let interaction = DragInteraction(delegate: self)
/// pictureView.addInteraction(interaction)
/// ```
///
/// A drag begins when the pointer has moved by more than four points since a press of the first button on the view, or
/// on a view in it whose own interactions have nothing to drag. The press is cancelled then. The user ends it with the
/// button or Escape, and the framework when the scene resigns active.
@preconcurrency @MainActor public final class DragInteraction: Interaction {
  /// What is asked for the items, and told of the drag; held weakly.
  public weak var delegate: (any DragInteractionDelegate)? { didSet { Responder.requireMainThread() } }
  /// The view that has it.
  public private(set) weak var view: View?
  /// Whether drags begin; true at first.
  public var isEnabled = true { didSet { Responder.requireMainThread() } }
  /// Held for as long as the interaction.
  var owner: AnyObject?

  /// Makes an interaction.
  /// - Parameter delegate: What is asked for the items.
  public init(delegate: any DragInteractionDelegate) { self.delegate = delegate }

  /// Keeps the view.
  /// - Parameter view: The view; nil for none.
  public func didMove(to view: View?) { self.view = view }
}

/// What a ``DragInteraction`` calls, on the main thread.
@preconcurrency @MainActor public protocol DragInteractionDelegate: AnyObject {
  /// Asks for the items of a drag that is about to begin.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - point: Where the button went down, in points of the interaction's view.
  /// - Returns: The items; none where there is nothing to drag, and the view keeps the press.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem]

  /// Asks whether a target may move the items, so that they are removed here; it may not by default.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - items: The items.
  /// - Returns: Whether it may.
  func dragInteraction(_ interaction: DragInteraction, allowsMoveOf items: [DragItem]) -> Bool

  /// Asks for the view that follows the pointer; nil, as by default, for a picture of the interaction's view.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - items: The items.
  /// - Returns: A view that is in no window; shown in the size of its frame, or its natural size without one.
  func dragInteraction(_ interaction: DragInteraction, previewFor items: [DragItem]) -> View?

  /// Called after a drag has begun.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: The drag.
  func dragInteraction(_ interaction: DragInteraction, sessionDidBegin session: DragSession)

  /// Called once after the end of a drag, whatever ended it.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - operation: What has happened to the items: after `DropOperation.move` they are to be removed here.
  ///   - items: The items.
  func dragInteraction(_ interaction: DragInteraction, didEndWith operation: DropOperation, items: [DragItem])
}

extension DragInteractionDelegate {
  /// They may not be moved.
  public func dragInteraction(_ interaction: DragInteraction, allowsMoveOf items: [DragItem]) -> Bool { false }
  /// A picture of the interaction's view.
  public func dragInteraction(_ interaction: DragInteraction, previewFor items: [DragItem]) -> View? { nil }
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, sessionDidBegin session: DragSession) {}
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragInteraction, didEndWith operation: DropOperation, items: [DragItem]
  ) {}
}

extension View {
  /// What the view lets the user do, besides its own input.
  public var interactions: [any Interaction] { host.interactions }

  /// Adds an interaction, which the view holds; removed from the view that had it.
  /// - Parameter interaction: The interaction, such as a ``DragInteraction`` or a ``DropInteraction``.
  public func addInteraction(_ interaction: any Interaction) { ViewDragAndDrop.add(interaction, to: self) }

  /// Removes an interaction; harmless where the view does not have it.
  /// - Parameter interaction: The interaction.
  public func removeInteraction(_ interaction: any Interaction) { ViewDragAndDrop.remove(interaction, from: self) }
}
