import FoundationEssentials
import Glibc
import Proscenium

#if !WITHOUT_Accessories
  /// The words about accessories: `accessories` tells of those that come and go, `session KIND` opens the first one of
  /// a kind.
  @MainActor final class AccessoryWords: AccessorySessionDelegate {
    private static let shared = AccessoryWords()
    private var observers: [NotificationCenter.ObservationToken] = []
    private var sessions: [AccessorySession] = []

    static func perform(_ words: [Substring]) -> Bool {
      switch words[0] {
      case "accessories": shared.observe()
      case "session" where words.count == 2: shared.open(String(words[1]))
      default: return false
      }
      return true
    }

    private func observe() {
      let (manager, center) = (AccessoryManager.shared, NotificationCenter.default)
      manager.registerForLocalNotifications()
      observers = [
        center.addObserver(of: manager, for: .accessoryDidConnect) { [weak self] in
          self?.say("connected", $0.accessory)
        },
        center.addObserver(of: manager, for: .accessoryDidDisconnect) { [weak self] in
          self?.say("disconnected", $0.accessory)
        },
      ]
    }

    private func say(_ word: String, _ accessory: Accessory) {
      say("\(word) \(accessory.kind): \(accessory.name), \(accessory.serialNumber)")
    }

    private func say(_ text: String) {
      print(text)
      fflush(nil)
    }

    private func open(_ kind: String) {
      guard let accessory = AccessoryManager.shared.connectedAccessories.first(where: { $0.kind.rawValue == kind })
      else {
        return say("no \(kind)")
      }
      do throws(AccessoryError) {
        let session = try AccessorySession(accessory: accessory)
        session.delegate = self
        session.readabilityHandler = { [weak self] in self?.read($0) }
        sessions.append(session)
        say("session open")
      } catch {
        say("session failed: \(error)")
      }
    }

    private func read(_ session: AccessorySession) {
      var bytes = [UInt8](repeating: 0, count: 1000)
      guard let descriptor = session.descriptor, case let count = Glibc.read(descriptor, &bytes, bytes.count), count > 0
      else {
        return
      }
      say("session reads \(String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline))")
    }

    func accessorySessionWillClose(_ session: AccessorySession) { say("session closes") }
    func accessorySessionDidReopen(_ session: AccessorySession) { say("session open again") }
    func accessorySession(_ session: AccessorySession, didFailWith error: AccessoryError) {
      say("session failed: \(error)")
    }
  }
#endif
