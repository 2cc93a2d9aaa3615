import FoundationEssentials
import Glibc
import Proscenium

#if !WITHOUT_Directories
  /// The words about the program's directories: `directories` asks for all of them, and tells what is told of caches.
  @MainActor enum DirectoryWords {
    private static var observers: [NotificationCenter.ObservationToken] = []

    static func perform() -> Bool {
      let application = Application.shared
      let directories = application.directories
      do {
        print("support \(try directories.support.path)")
        print("documents \(try directories.documents.path)")
        print("caches \(try directories.caches.path)")
        print("temporary \(try directories.temporary.path)")
        print("state \(try directories.state.path)")
      } catch {
        print("directories: \(error)")
        return false
      }
      observers.append(
        NotificationCenter.default.addObserver(of: application, for: .cachesShouldShrink) { message in
          print("shrink for \(message.cause)")
          fflush(nil)
        })
      return true
    }
  }
#endif
