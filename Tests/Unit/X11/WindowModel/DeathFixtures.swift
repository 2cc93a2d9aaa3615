/// What a window heard when the window manager went and came back, as recorded (in shorthand; R stands for both
/// directions, as in the records).
struct DeathFixture: Sendable, CustomStringConvertible {
  var description: String
  /// SIGTERM, with the window visible.
  var terminated: String
  /// The same window manager starts again.
  var again: String
  /// SIGKILL, with the window iconified.
  var killedIconified: String
  /// Another window manager starts after that.
  var other: String

  init(_ description: String, terminated: String, again: String, killedIconified: String, other: String) {
    self.description = description
    self.terminated = terminated
    self.again = again
    self.killedIconified = killedIconified
    self.other = other
  }

  static let all: [DeathFixture] = [
    .init(
      "openbox", terminated: "fUnmap Unmap R Map V0", again: "Unmap R Map D0 V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 Unmap D0"),
    .init(
      "openbox+picom", terminated: "fUnmap Unmap R Map V0", again: "Unmap R Map D0 fMap V0 S1",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "i3", terminated: "Unmap R Map V0", again: "V2 Unmap R Map S1 V0 D0 V1 V0", killedIconified: "Unmap R Map V0",
      other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "i3-float", terminated: "Unmap R Map V0", again: "V2 Unmap R Map S1 fMap V0 D0 V1 V0",
      killedIconified: "Unmap R Map V0", other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "i3-tabbed", terminated: "Unmap R Map V0", again: "V2 Unmap R Map S1 V0 +H D0",
      killedIconified: "V2 Unmap R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "xfwm4", terminated: "fUnmap Unmap R Map V0", again: "D0 Unmap R Map V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "xfwm4-comp", terminated: "fUnmap Unmap R Map V0", again: "V2 V0 D0 Unmap R Map V0 S1",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "icewm", terminated: "Unmap R Map V0", again: "Unmap R Map S1 V0 D0", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "fluxbox", terminated: "Unmap R Map V0", again: "Unmap R Map fMap V1 S1 D0 V0", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "twm", terminated: "V1 Unmap R Map V0", again: "Unmap R Map V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "ctwm", terminated: "V1 Unmap R Map V0", again: "Unmap D0 R Map fMap V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map D0 V0 S1"),
    .init(
      "mwm", terminated: "Unmap R Map V0", again: "Unmap R Map V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "metacity", terminated: "Unmap R Map V0 S1 V2 V0", again: "Unmap R Map D0 S1 fMap V0",
      killedIconified: "R Map V0 V2 V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "marco", terminated: "Unmap R Map V0 S1", again: "Unmap R Map D0 S1 fMap V0", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "marco-comp", terminated: "Unmap R Map V0 S1", again: "Unmap R Map D0 S1 fMap V0",
      killedIconified: "R Map V0 V2 V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "mutter", terminated: "Unmap R Map V0", again: "V2 V0 Unmap R Map V0 V1 V0 D0 S1",
      killedIconified: "Unmap R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "muffin", terminated: "V2 S1 Unmap R Map V2 V0", again: "V2 V0 Unmap R Map V0 V1 V0 D0 S1",
      killedIconified: "Unmap R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "kwin", terminated: "S- fUnmap Unmap R Map V0", again: "Unmap R D0 fMap Map V1 S1 D0 V0",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "kwin-comp", terminated: "V2 V0 S- fUnmap Unmap R Map V0", again: "Unmap R D0 Map V1 S1 D0 V0",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "awesome", terminated: "Unmap R Map V0 V1", again: "Unmap R Map S1 D0 fMap V0", killedIconified: "R Map V0 V1",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init("bspwm", terminated: "", again: "", killedIconified: "", other: "Unmap R Map D0 V1 S1"),
    .init(
      "herbstluftwm", terminated: "Unmap R Map V0 V1", again: "D0 Unmap R Map Unmap S1 Map fMap V0",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init("dwm", terminated: "", again: "V2 V0 V2 S1 V0", killedIconified: "", other: "Unmap R Map D0 fMap V1 S1"),
    .init(
      "jwm", terminated: "Unmap R Map V0", again: "Unmap R Map V0 D0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "wmaker", terminated: "fUnmap Unmap R D0 Map V0", again: "V1 Unmap R Map S1 V0 D0 S1",
      killedIconified: "R Map V0", other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "evilwm", terminated: "Unmap R Map V0", again: "Unmap R Map V0 S1 D0", killedIconified: "Unmap R Map V0",
      other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "matchbox", terminated: "Unmap R Map V0", again: "V2 D0 S1 Unmap R Map V0 S1", killedIconified: "Unmap R Map V0",
      other: "Unmap R Map D0 fMap V1 S1"),
    .init(
      "sawfish", terminated: "fUnmap Unmap Map fMap V0 Unmap R Map V0", again: "D0 Unmap R Map V0",
      killedIconified: "R Map V0", other: "Unmap R Map D0 fMap V0 S1"),
    .init(
      "fvwm3", terminated: "Unmap R Map V0 D0", again: "Unmap R D0 Map V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "fvwm3-sloppy", terminated: "Unmap R Map V0 D0", again: "Unmap R D0 Map V0 S1", killedIconified: "R Map V0",
      other: "Unmap R Map +H S3 D0 [unviewable]"),
    .init(
      "spectrwm", terminated: "Unmap fUnmap S3 R Map V0", again: "D0 Unmap R Map fMap V0 S1",
      killedIconified: "Unmap R Map V0", other: "Unmap R Map D0 fMap V1 S1"),
    .init("ratpoison", terminated: "", again: "V1 V2 S1 V0 S1 V1", killedIconified: "", other: ""),
    .init("compiz", terminated: "", again: "D0 S1", killedIconified: "", other: ""),
  ]
}
