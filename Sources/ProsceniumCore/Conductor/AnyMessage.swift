/// A message together with the feature that receives it.
@MainActor struct AnyMessage {
  private let box: any MessageBox

  init<Room: Feature>(_ room: Room.Type, _ message: Room.Message) { box = Box<Room>(message: message) }

  /// The actions of its feature; none where there is no such feature.
  func deliver(in conductor: Conductor) -> [FeatureAction] { box.deliver(in: conductor) }

  @MainActor private struct Box<Room: Feature>: MessageBox {
    let message: Room.Message

    func deliver(in conductor: Conductor) -> [FeatureAction] { conductor.feature(Room.self)?.receive(message) ?? [] }
    func isEqual(_ other: any MessageBox) -> Bool { (other as? Box<Room>)?.message == message }
    var description: String { "\(Room.self) \(message)" }
  }
}

@MainActor private protocol MessageBox {
  var description: String { get }
  func deliver(in conductor: Conductor) -> [FeatureAction]
  func isEqual(_ other: any MessageBox) -> Bool
}

extension AnyMessage: @MainActor Equatable, @MainActor CustomStringConvertible {
  static func == (left: AnyMessage, right: AnyMessage) -> Bool { left.box.isEqual(right.box) }
  var description: String { box.description }
}
