/// The extensions that the platform uses, by the names that they are registered under.
enum ExtensionName: String, CaseIterable, Sendable {
  case randr = "RANDR"
  case fixes = "XFIXES"
  case sync = "SYNC"
  case screenSaver = "MIT-SCREEN-SAVER"
  case input = "XInputExtension"
  case shm = "MIT-SHM"
  case present = "Present"

  /// Those that only surfaces need, asked for with the first of them.
  static let forSurfaces: [ExtensionName] = [.shm, .present]
  static let atStart = allCases.filter { !forSurfaces.contains($0) }
}
