public import ProsceniumCore

/// Lets the user drop items on a view, from this program and from others.
///
/// ```swift
/// view.addInteraction(DropInteraction(delegate: self))
///
/// func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
///   session.hasItems(ofTypes: ["image/png"])
/// }
///
/// func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool {
///   guard let item = await session.item(ofTypes: ["image/png"]) else { return false }
///   show(item.data)
///   return true
/// }
/// ```
///
/// What is dragged is for the innermost view below the pointer that can handle it. A ``ScrollView`` or a ``TextView``
/// scrolls while the pointer is near its edge.
@preconcurrency @MainActor public final class DropInteraction: Interaction {
  /// What is asked about drops, and performs them; held weakly.
  public weak var delegate: (any DropInteractionDelegate)? { didSet { Responder.requireMainThread() } }
  /// The view that has it.
  public private(set) weak var view: View?
  /// Held for as long as the interaction.
  var owner: AnyObject?

  /// Makes an interaction.
  /// - Parameter delegate: What performs the drops.
  public init(delegate: any DropInteractionDelegate) { self.delegate = delegate }

  /// Keeps the view.
  /// - Parameter view: The view; nil for none.
  public func didMove(to view: View?) { self.view = view }
}

/// What would happen with items that are dropped where they are.
public struct DropProposal: Hashable, Sendable {
  /// What would happen.
  public var operation: DropOperation

  /// A proposal.
  /// - Parameter operation: What would happen.
  public init(operation: DropOperation) { self.operation = operation }
}

/// What a ``DropInteraction`` calls, on the main thread.
@preconcurrency @MainActor public protocol DropInteractionDelegate: AnyObject {
  /// Asks whether items like these can be dropped on the view at all; they can by default.
  ///
  /// Called each time that they come over the view. Otherwise a view that contains it is asked.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: What is dragged.
  /// - Returns: Whether they can.
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool

  /// Called when they come over the view.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: What is dragged.
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession)

  /// Asks what would happen, when they come over the view and whenever they move there; a copy by default.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: What is dragged, and where: `DropSession.location(in:)`.
  /// - Returns: What would happen.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal

  /// Called when they have left the view, or the drag has ended without a drop.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: What was dragged.
  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession)

  /// Takes what is dropped; called after a proposal to copy or to move, in place of
  /// `sessionDidExit`.
  ///
  /// The source waits for the return, for a minute at most; its data can be read until then.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: What is dropped.
  /// - Returns: Whether the view has the items: only then a source removes what is moved.
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool
}

extension DropInteractionDelegate {
  /// They can.
  public func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool { true }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {}
  /// Copies.
  public func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession
  ) -> DropProposal { DropProposal(operation: .copy) }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {}
}

extension DropSession {
  /// Where the pointer is, in points of a view.
  /// - Parameter view: The view.
  /// - Returns: The place.
  public func location(in view: View) -> Point { view.convert(pointsInWindow, from: nil) }

  /// Where the pointer is, in points of the window.
  var pointsInWindow: Point { Event(.resized(Size(width: 0, height: 0)), window: window).points(location) }
}
