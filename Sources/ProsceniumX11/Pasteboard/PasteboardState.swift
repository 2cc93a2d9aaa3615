import FoundationEssentials
import ProsceniumPlatform

/// What was copied here, what is being pasted, and what is being handed to others.
package struct PasteboardState {
  /// How long a transfer may stand still.
  static let patience = 5000
  /// More than this is not read: an owner that never stops would eat all memory.
  static let largest = 1 << 29
  /// More transfers at once to other clients are refused.
  static let mostDeliveries = 256

  /// What we have copied.
  struct Owned {
    var items: [PasteboardItem]
    /// When we became the owner; 0 until the server has said its time.
    var time: UInt32 = 0
    var generation: Int
  }

  /// A question to another owner, named by the window that it is asked from.
  ///
  /// Each has a window of its own, so that a late answer to one cannot be taken for another's.
  struct Read {
    enum Goal {
      case item([String], @MainActor (PasteboardItem?) -> Void)
      case types(@MainActor ([String]) -> Void)
    }
    enum Phase {
      /// Waits for the SelectionNotify.
      case asking
      /// Waits for the property's value.
      case fetching
      /// Waits for the next piece to be written (ICCCM 2.7.2).
      case waiting
    }
    struct Candidate {
      var type: String
      var target: String
      var atom: UInt32
    }
    var name: PasteboardName
    var goal: Goal
    var phase = Phase.asking
    /// What to ask for next, after what is being asked for; nil while it is `TARGETS` that is asked for.
    var candidates: [Candidate]?
    var current: Candidate?
    var isIncremental = false
    var bytes: [UInt8] = []
    var type: UInt32 = 0
    var format: UInt8 = 0
  }

  /// A large answer on its way, piece by piece.
  struct Delivery {
    var data: Data
    var type: UInt32
    var offset = 0
  }
  package struct Place: Hashable {
    var requestor: UInt32
    var property: UInt32
  }

  var owned: [PasteboardName: Owned] = [:]
  var reads: [UInt32: Read] = [:]
  var deliveries: [Place: Delivery] = [:]
  var generation = 0
  /// Answers that are handed out when the batch ends, so that none comes from within a call.
  var finished: [@MainActor () -> Void] = []
  /// Atoms of MIME types: programs bring names of their own.
  var atoms: [String: UInt32] = [:]
  var names: [UInt32: String] = [:]
}
