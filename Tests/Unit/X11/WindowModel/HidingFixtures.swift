/// What a window heard when it was hidden and shown again, as recorded under each window manager (in shorthand).
///
/// An empty string is "nothing at all". Only the window's own signals: the root's are added by the tests.
struct HidingFixture: Sendable, CustomStringConvertible {
  var description: String
  /// `_NET_WM_NAME` of the check window.
  var name: String?
  var framed: Bool
  var iconify: String
  var away: String
  var back: String
  var send: String
  var showDesktop: String
  var cover: String
  var shade: String

  init(
    _ description: String, _ name: String?, framed: Bool, iconify: String, away: String, back: String, send: String,
    showDesktop: String, cover: String, shade: String
  ) {
    self.description = description
    self.name = name
    self.framed = framed
    self.iconify = iconify
    self.away = away
    self.back = back
    self.send = send
    self.showDesktop = showDesktop
    self.cover = cover
    self.shade = shade
  }

  /// What undoes a sequence: everything that was taken away comes back.
  ///
  /// HIDDEN stays behind where it is known to.
  func undo(_ sequence: String) -> String {
    let inverse = [
      "Unmap": "Map", "fUnmap": "fMap", "S3": "S1", "S2": "S1", "S0": "S1", "+H": leavesHidden ? nil : "-H", "D1": "D0",
      "+desk": "-desk",
    ]
    return sequence.split(separator: " ").compactMap { inverse[String($0)] ?? nil }.joined(separator: " ")
  }

  /// JWM and FVWM leave `_NET_WM_STATE_HIDDEN` on a window that MapWindow has de-iconified.
  var leavesHidden: Bool { name == "JWM" || name == "FVWM" }

  static func named(_ name: String) -> HidingFixture? { all.first { $0.description == name } }

  static let all: [HidingFixture] = [
    .init("none", nil, framed: false, iconify: "", away: "", back: "", send: "", showDesktop: "", cover: "", shade: ""),
    .init(
      "openbox", "Openbox", framed: true, iconify: "+H V2 Unmap S3 fUnmap", away: "fUnmap Unmap S3",
      back: "Map fMap V0 S1", send: "D1 fUnmap Unmap S3", showDesktop: "fUnmap Unmap", cover: "V2", shade: "S3 V2"),
    .init(
      "openbox+picom", "Openbox", framed: true, iconify: "+H V2 Unmap S3 fUnmap", away: "fUnmap Unmap S3",
      back: "Map fMap V0 S1", send: "D1 fUnmap Unmap S3", showDesktop: "fUnmap Unmap", cover: "", shade: "S3 V2"),
    .init(
      "i3", "i3", framed: true, iconify: "S1", away: "S0 fUnmap", back: "S1 fMap V0", send: "D1 V2 S0 fUnmap",
      showDesktop: "", cover: "V2 S0 fUnmap", shade: ""),
    .init(
      "i3-float", "i3", framed: true, iconify: "D1 V2 S0 fUnmap", away: "S0 fUnmap", back: "S1 fMap V0", send: "",
      showDesktop: "", cover: "V2 S0 fUnmap", shade: ""),
    .init(
      "i3-tabbed", "i3", framed: true, iconify: "S1", away: "S0 fUnmap", back: "S1 fMap V0", send: "", showDesktop: "",
      cover: "V2 S0 fUnmap", shade: ""),
    .init(
      "xfwm4", "Xfwm4", framed: true, iconify: "fUnmap Unmap S3 +H", away: "fUnmap Unmap", back: "fMap Map V0",
      send: "D1 fUnmap Unmap", showDesktop: "+H fUnmap Unmap S3", cover: "V2", shade: "Unmap"),
    .init(
      "xfwm4-comp", "Xfwm4", framed: true, iconify: "fUnmap Unmap S3 +H", away: "fUnmap Unmap", back: "fMap Map V0",
      send: "D1 fUnmap Unmap", showDesktop: "+H fUnmap Unmap S3", cover: "", shade: "Unmap"),
    .init(
      "icewm", "IceWM 3.3.1 (Linux/x86_64)", framed: true, iconify: "+H S3 fUnmap Unmap", away: "fUnmap Unmap",
      back: "Map fMap V0", send: "D1 fUnmap Unmap", showDesktop: "+H S3 fUnmap Unmap", cover: "V2",
      shade: "V1 fUnmap Unmap"),
    .init(
      "fluxbox", "Fluxbox", framed: true, iconify: "+H S3 Unmap fUnmap", away: "S3 Unmap fUnmap",
      back: "Map fMap V0 S1", send: "D1 S3 Unmap fUnmap", showDesktop: "", cover: "V2", shade: "V2"),
    .init(
      "twm", nil, framed: true, iconify: "Unmap fUnmap S3", away: "", back: "", send: "", showDesktop: "", cover: "",
      shade: ""),
    .init(
      "ctwm", "ctwm", framed: true, iconify: "Unmap fUnmap S3", away: "Unmap fUnmap S2", back: "Map fMap V0 S1",
      send: "Unmap fUnmap S2 D1", showDesktop: "Unmap fUnmap S2", cover: "V2", shade: "Unmap"),
    .init(
      "mwm", nil, framed: true, iconify: "fUnmap Unmap S3", away: "", back: "", send: "", showDesktop: "", cover: "",
      shade: ""),
    .init(
      "metacity", "Metacity", framed: true, iconify: "fUnmap Unmap S3 +H", away: "fUnmap Unmap S3",
      back: "fMap Map V0 S1", send: "D1 fUnmap Unmap S3", showDesktop: "fUnmap Unmap S3 +H", cover: "",
      shade: "Unmap S3 +H"),
    .init(
      "marco", "Metacity (Marco)", framed: true, iconify: "fUnmap Unmap S3 +H", away: "fUnmap Unmap S3",
      back: "fMap Map V0 S1", send: "D1 fUnmap Unmap S3", showDesktop: "fUnmap Unmap S3 +H", cover: "V2",
      shade: "Unmap S3 +H"),
    .init(
      "marco-comp", "Metacity (Marco)", framed: true, iconify: "fUnmap Unmap S3 +H", away: "fUnmap Unmap S3",
      back: "fMap Map V0 S1", send: "D1 fUnmap Unmap S3", showDesktop: "fUnmap Unmap S3 +H", cover: "",
      shade: "Unmap S3 +H"),
    .init(
      "mutter", "Mutter", framed: true, iconify: "S3 +H", away: "S3", back: "S1", send: "D1 S3", showDesktop: "S3 +H",
      cover: "", shade: "+H Unmap"),
    .init(
      "muffin", "Mutter (Muffin)", framed: true, iconify: "S3 +H", away: "S3", back: "S1", send: "D1 S3",
      showDesktop: "S3 +H", cover: "", shade: "+H Unmap"),
    .init(
      "kwin", "KWin", framed: true, iconify: "+H fUnmap Unmap S3", away: "fUnmap Unmap S3", back: "fMap Map V0 S1",
      send: "D1 fUnmap Unmap S3", showDesktop: "V2 +desk", cover: "V2", shade: "fUnmap Unmap S3"),
    .init(
      "kwin-comp", "KWin", framed: true, iconify: "+H fUnmap Unmap S3", away: "", back: "", send: "D1",
      showDesktop: "+desk", cover: "", shade: "fUnmap Unmap S3"),
    .init(
      "awesome", "awesome", framed: true, iconify: "S3 Unmap +H fUnmap", away: "fUnmap", back: "fMap V0",
      send: "D1 fUnmap", showDesktop: "", cover: "", shade: ""),
    .init(
      "bspwm", "bspwm", framed: false, iconify: "", away: "Unmap S3", back: "S1 Map V0", send: "D1 Unmap S3",
      showDesktop: "", cover: "V2", shade: ""),
    .init(
      "herbstluftwm", "herbstluftwm", framed: true, iconify: "+H fUnmap Unmap S3", away: "fUnmap Unmap S3",
      back: "S1 Map fMap V0", send: "", showDesktop: "", cover: "", shade: ""),
    .init(
      "dwm", "dwm", framed: false, iconify: "", away: "off V2", back: "V0", send: "", showDesktop: "", cover: "V2",
      shade: ""),
    .init(
      "jwm", "JWM", framed: true, iconify: "Unmap fUnmap +H S3", away: "fUnmap", back: "fMap V0", send: "fUnmap D1",
      showDesktop: "Unmap fUnmap +H S3", cover: "V2", shade: "Unmap S1"),
    .init(
      "wmaker", nil, framed: true, iconify: "V0 Unmap fUnmap S3 +H", away: "Unmap fUnmap", back: "fMap Map V0",
      send: "D1 Unmap fUnmap", showDesktop: "Unmap fUnmap S3", cover: "V2", shade: "V1 off V2 V1 Unmap"),
    .init(
      "evilwm", "evilwm", framed: true, iconify: "", away: "fUnmap S3", back: "fMap V0 S1 V1", send: "",
      showDesktop: "", cover: "V2", shade: ""),
    .init(
      "matchbox", "matchbox", framed: true, iconify: "S3 fUnmap", away: "", back: "", send: "",
      showDesktop: "V2 +desk", cover: "", shade: ""),
    .init(
      "sawfish", "Sawfish", framed: true, iconify: "fUnmap Unmap S3", away: "", back: "", send: "fUnmap Unmap D1",
      showDesktop: "fUnmap Unmap", cover: "V2", shade: "V2 Unmap"),
    .init(
      "fvwm3", "FVWM", framed: true, iconify: "Unmap fUnmap S3 +H", away: "fUnmap S3", back: "fMap V0 S1",
      send: "fUnmap S3 D1", showDesktop: "", cover: "V2", shade: "V1 V2 fUnmap fMap V2"),
    .init(
      "fvwm3-sloppy", "FVWM", framed: true, iconify: "Unmap fUnmap S3 +H", away: "fUnmap S3", back: "fMap V0 S1",
      send: "fUnmap S3 D1", showDesktop: "", cover: "V2", shade: "V1 V2 fUnmap fMap V2"),
    .init(
      "spectrwm", "spectrwm", framed: true, iconify: "", away: "Unmap fUnmap S3", back: "fMap Map V0 S1",
      send: "Unmap fUnmap S3 D1", showDesktop: "", cover: "", shade: ""),
    .init(
      "ratpoison", nil, framed: false, iconify: "", away: "", back: "", send: "", showDesktop: "", cover: "", shade: ""),
    .init(
      "compiz", "compiz", framed: false, iconify: "Unmap +H S3", away: "", back: "", send: "",
      showDesktop: "Unmap +H S3", cover: "", shade: ""),
  ]
}
