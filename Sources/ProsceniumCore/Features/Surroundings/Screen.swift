/// A screen: on X11 a monitor of RandR 1.5, or the whole root window where the server has no RandR.
///
/// One object from the moment when the screen is connected until it goes; its properties change. The main screen is the
/// first of ``Application/screens``. Properties have the new values before the notifications of a change are posted.
@preconcurrency @MainActor public final class Screen {
  /// How a screen's content is turned against its panel.
  public typealias Rotation = ScreenRotation

  /// The name of the output (`HDMI-1`).
  public var name: String { description.name }
  /// The rectangle that it shows of the desktop, in points: its own, as ``Window/frame`` of a window on it has them.
  public var frame: Rect { PixelScale(scale).points(pixelFrame) }
  /// The rectangle that it shows of the desktop, in pixels.
  public var pixelFrame: Rect { description.frame }
  /// The part of ``pixelFrame`` that panels and docks do not cover, in pixels: see ``visibleFrame``.
  public var visiblePixelFrame: Rect { description.visibleFrame }
  /// The part of ``frame`` that panels and docks do not cover, in points; all of it where it is unknown.
  ///
  /// Requested when the first scene has entered the foreground, and followed from then on:
  /// ``VisibleFrameDidChangeMessage``. Until then, and while the program is suspended, it is the last known value. On
  /// X11 it is `_GTK_WORKAREAS_D<n>` of the monitor; else, on a single monitor, `_NET_WORKAREA`; else the area outside
  /// the struts of the windows of `_NET_CLIENT_LIST` (`_NET_WM_STRUT_PARTIAL`, `_NET_WM_STRUT`), so that a panel that
  /// is no window of that list is unknown with several monitors, and under i3, which leaves its docks out of it. Where
  /// the window manager does not set `_NET_WORKAREA`, a panel's later change of its strut is detected when windows come
  /// or go. Windows may be placed outside of it.
  public var visibleFrame: Rect { PixelScale(scale).points(visiblePixelFrame) }
  /// Whether it is the primary one.
  public var isPrimary: Bool { description.isPrimary }
  /// Its size in millimetres; zero where unknown.
  public var physicalSize: Size { description.physicalSize }
  /// How many of its pixels one point is: 1, or more where pixels are small.
  public var scale: Double { description.scale }
  /// The rotation of its content; `Rotation.normal` where it is unknown.
  ///
  /// Known, on X11, a moment after the first scene has entered the foreground: ``frame`` is rotated already.
  public var rotation: Rotation { description.rotation }

  /// Stands for all screens until the window system has reported them.
  var isProvisional: Bool { description.isProvisional }

  /// The window system's last description.
  private(set) var description: ScreenDescription

  init(_ description: ScreenDescription) { self.description = description }

  /// The orientation of content on the screen, from its shape and ``rotation``.
  ///
  /// A screen that is wider than high is in landscape; one that is not rotated is in `.landscapeRight`, or in
  /// `.portrait` where its panel is higher than wide.
  public var interfaceOrientation: InterfaceOrientation { InterfaceOrientation(of: frame.size, rotation: rotation) }

  /// Its modes; nil where they are not known.
  var knownModes: ScreenModes? { description.modes }

  /// Whether its panel, as it is built, is higher than wide.
  var isPanelTall: Bool { rotation.isPanelTall(under: frame.size) }

  /// Sets the window system's present description; returns the changes.
  func update(_ description: ScreenDescription) -> [ScreenNews.Change] {
    let old = self.description
    self.description = description
    let known = old.modes.map { $0.current == description.modes?.current } ?? true
    let hasMode =
      known && (pixelFrame, isPrimary, scale, rotation) == (old.frame, old.isPrimary, old.scale, old.rotation)
    return (hasMode ? [] : [.changed]) + (visiblePixelFrame == old.visibleFrame ? [] : [.visibleFrame])
  }
}

extension Screen: nonisolated Hashable {
  /// Whether both are the same screen.
  public nonisolated static func == (lhs: Screen, rhs: Screen) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Screen: @MainActor CoordinateSpace {
  /// The screen in its own coordinates, in points.
  public var bounds: Rect { Rect(x: 0, y: 0, width: frame.size.width, height: frame.size.height) }
  /// The screen's upper left corner on the desktop, in pixels.
  public var originOnDesktop: Point { pixelFrame.origin }
}
