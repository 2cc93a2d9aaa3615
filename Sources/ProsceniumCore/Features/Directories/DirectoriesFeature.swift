public import FoundationEssentials
import ProsceniumJSON
import ProsceniumStore
import ProsceniumTrace

/// Tells the program when its caches should shrink, and removes its temporary directory at the end.
///
/// Does nothing in a program that asks for neither.
final class DirectoriesFeature: FeatureBase, Feature {
  enum Message: Equatable {
    /// The disk may be short.
    case checkDisk
  }

  /// Lasting pressure is told of once in ten seconds, in seconds.
  private static let interval = 10.0

  private let use: DirectoryUse
  private var lastTold: [CacheShortage: Double] = [:]

  required init(_ conductor: Conductor) {
    use = conductor.application.value(DirectoryUseKey.self)
    super.init(conductor)
  }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, by: self)
    lists.observe(moments: .applicationStateSet, by: self)
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .memoryPressure = event else { return [] }
    return tell(.memory)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .savingFailed(let isDiskFull): return isDiskFull ? tell(.disk) : checkDisk()
    // When nobody looks the program has time.
    case .applicationStateSet where application.applicationState == .background && use.usesCaches:
      return [post(.checkDisk)]
    case .ended: use.end()
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] { checkDisk() }

  private func checkDisk() -> [FeatureAction] {
    guard use.usesCaches, space?.isShort == true else { return [] }
    return tell(.disk)
  }

  private var space: DiskSpace? {
    if let space = application.host.cacheSpace { return space() }
    return (try? application.directories.folders?.open(.caches))?.space
  }

  private func tell(_ cause: CacheShortage) -> [FeatureAction] {
    let now = conductor.platform.now
    guard use.usesCaches, conductor.machine.phase.isLaunched, !conductor.machine.phase.isEnding, !conductor.isSuspended,
      lastTold[cause].map({ now - $0 >= Self.interval }) ?? true
    else { return [] }
    lastTold[cause] = now
    return [
      .trace(.system("cachesShouldShrink", ["cause": .string(cause.rawValue)])),
      .call(CachesShouldShrinkCall(cause: cause)),
    ]
  }
}

/// What is short when caches should shrink.
public enum CacheShortage: String, Hashable, Sendable {
  /// Memory: whatever of the files is mapped, or kept in memory, should be let go.
  case memory
  /// The disk.
  case disk
}

extension Application {
  /// The directories of the program; see ``Directories``.
  ///
  /// In tests they throw, unless the test gives the program a home.
  public var directories: Directories { Directories(of: self) }
}

extension Directories {
  /// The directories of an application; none before its launch, and without variables that name them.
  @MainActor fileprivate init(of application: Application) {
    use = application.value(DirectoryUseKey.self)
    let id = application.conductor?.identity.id ?? ""
    folders = application.host.directories.flatMap {
      id.isEmpty ? nil : UserFolders(applicationIdentifier: id, environment: $0)
    }
  }

  /// Posted when files in ``Directories/caches`` should be deleted, because memory or the disk is short.
  ///
  /// Only in a program that has asked for its caches, after the launch and before its end; for each cause at most once
  /// in ten seconds. For ``CacheShortage/memory`` with the memory warnings
  /// (``MemoryApplicationDelegate/applicationDidReceiveMemoryWarning(_:)``), and after them. For ``CacheShortage/disk``
  /// when sessions, a document, the preferences, or what is scheduled cannot be saved because the disk is full, and
  /// where less than a twentieth and less than a gibibyte of the caches' file system is free (statvfs(3)), which is
  /// looked at when the last scene has entered the background, and when sessions cannot be saved for another reason:
  /// nothing looks in between. A quota that is used up shows only when a save fails.
  public struct CachesShouldShrinkMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// What is short.
    public let cause: CacheShortage
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Directories.CachesShouldShrinkMessage> {
  /// Names ``Directories/CachesShouldShrinkMessage``.
  public static var cachesShouldShrink: Self { .init() }
}

private enum DirectoryUseKey: ValueKey { static var initial: DirectoryUse { DirectoryUse() } }

/// ``Directories/CachesShouldShrinkMessage``.
private struct CachesShouldShrinkCall: Notice {
  var cause: CacheShortage
  var call: CallDescription { CallDescription("cachesShouldShrink") }

  func send(to application: Application) {
    Directories.CachesShouldShrinkMessage(application: application, cause: cause).post()
  }
}
