/// The shape in which new scenes begin: ``ApplicationManifest/launchOrientation``.
public enum LaunchOrientation: String, Hashable, Sendable, CaseIterable {
  /// The one of the configuration's `launchSize`.
  case automatic
  /// Not wider than high.
  case portrait
  /// Not higher than wide.
  case landscape

  /// A size in this shape: itself, or with its sides swapped.
  func shaped(_ size: Size) -> Size {
    let (long, short) = (max(size.width, size.height), min(size.width, size.height))
    switch self {
    case .automatic: return size
    case .portrait: return Size(width: short, height: long)
    case .landscape: return Size(width: long, height: short)
    }
  }
}
