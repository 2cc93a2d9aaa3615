/// The number of an element, which no other element gets later.
package struct AccessibilityID: Hashable, Comparable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The program itself.
  package static let application = AccessibilityID(rawValue: 0)

  package static func < (left: AccessibilityID, right: AccessibilityID) -> Bool { left.rawValue < right.rawValue }
}

/// The windows of a program and what is in them, as assistive programs know them: a value, from which they are answered
/// without a call of the program.
package struct AccessibilityTree: Hashable, Sendable {
  /// An element.
  package struct Node: Hashable, Sendable {
    package var properties: AccessibilityProperties
    /// Its place on the desktop, in pixels.
    package var frame: Rect
    /// The upper left corner of its window on the desktop, in pixels.
    package var corner: Point
    package var parent: AccessibilityID
    package var children: [AccessibilityID] = []
    /// The element that names it; nil for none.
    package var labelledBy: AccessibilityID?

    package init(_ properties: AccessibilityProperties, frame: Rect, corner: Point, parent: AccessibilityID) {
      self.properties = properties
      self.frame = frame
      self.corner = corner
      self.parent = parent
    }
  }

  /// The top-level windows, the children of the program.
  package var windows: [AccessibilityID] = []
  /// Not of a literal, for which the run time makes the type of a node at every launch: 40,000 instructions
  /// (Tests/Benchmarks/instructions).
  package var nodes = Dictionary<AccessibilityID, Node>()

  package init() {}

  package subscript(id: AccessibilityID) -> Node? { nodes[id] }

  /// The children of an element, or of the program.
  package func children(of id: AccessibilityID) -> [AccessibilityID] {
    id == .application ? windows : nodes[id]?.children ?? []
  }

  /// The element that gets the keys; nil for none.
  package var focused: AccessibilityID? {
    nodes.filter { $0.value.properties.states.contains(.focused) }.keys.min()
  }
}

/// Shows the program's windows to assistive programs.
@MainActor package protocol AccessibilityService: AnyObject {
  /// Shows another tree from now on; nothing is shown while no assistive program is there.
  ///
  /// What they ask is posted as ``SystemEvent/accessibility(_:)``.
  func publish(_ tree: AccessibilityTree)
  /// Says a text to the user.
  func announce(_ text: String)
  /// Whether an assistive program listens to keys.
  var hearsKeys: Bool { get }
  /// Tells of a key before its window has it; ``AccessibilityEvent/answer(_:isHandled:)`` comes later, unless a program
  /// hangs.
  func tell(_ key: Key, time: UInt32, number: Int)
}

/// What assistive programs do.
package enum AccessibilityEvent: Hashable, Sendable {
  /// There are assistive programs, or there are none any more; and whether one of them reads the screen.
  case watched(Bool, byScreenReader: Bool)
  /// One asks something of an element.
  case request(AccessibilityID, AccessibilityRequest)
  /// They have heard of the key with this number; whether it is a command to one of them.
  case answer(Int, isHandled: Bool)
}
