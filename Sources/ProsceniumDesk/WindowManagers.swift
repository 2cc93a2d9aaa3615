/// The window managers that can be started here; their limits were measured.
extension WindowManager {
  /// No window manager: windows are where their programs place them.
  public static let none = WindowManager(
    name: "none", speaksEWMH: false, focusMethod: .client, desktops: .none,
    limits: [
      .init(action: .iconify, reason: "iconic state is kept by a window manager (ICCCM 4.1.4)"),
      .init(action: .restartManager, reason: "there is none"),
    ] + noDesktops("desktops are kept by a window manager"))

  /// Openbox: windows that float, click to focus.
  public static let openbox = WindowManager(name: "openbox", command: ["openbox"], packages: ["openbox"])

  /// Openbox with picom, which composites.
  public static let openboxComposited = WindowManager(
    name: "openbox+picom", command: ["openbox"], packages: ["openbox", "picom"], companion: picom)
  private static let picom = ["picom", "--backend", "xrender", "--config", "/dev/null"]

  /// i3: windows side by side.
  public static let i3 = i3("i3")
  /// i3 with windows that float.
  public static let i3Floating = i3("i3-float", "for_window [class=\".*\"] floating enable\n")
  /// i3 with tabs: one window of a workspace is seen at a time.
  public static let i3Tabbed = i3("i3-tabbed", tabs)
  /// i3 with tabs and picom, which composites: the server reports no window as covered.
  public static let i3TabbedComposited = i3("i3-tabbed+picom", tabs, companion: picom)
  private static let tabs = "workspace_layout tabbed\n"

  /// Xfce's, without compositing.
  public static let xfwm4 = WindowManager(
    name: "xfwm4", command: ["xfwm4", "--compositor=off"], packages: ["xfwm4", "dbus"], needsBus: true)
  /// Xfce's, compositing.
  public static let xfwm4Composited = WindowManager(
    name: "xfwm4-comp", command: ["xfwm4", "--compositor=on", "--vblank=off"], packages: ["xfwm4", "dbus"],
    needsBus: true)

  /// IceWM.
  public static let icewm = WindowManager(name: "icewm", command: ["icewm"], packages: ["icewm"])
  /// Fluxbox.
  public static let fluxbox = WindowManager(
    name: "fluxbox", command: ["fluxbox"], packages: ["fluxbox"], limits: [noShowDesktop("fluxbox")])

  /// twm: no EWMH, one desktop.
  public static let twm = WindowManager(
    name: "twm", command: ["twm", "-f", "{home}/twmrc"], packages: ["twm"],
    files: ["twmrc": "RandomPlacement\nUsePPosition \"on\"\n"], environment: ["LC_ALL": "C"], speaksEWMH: false,
    focusMethod: .client, desktops: .none, limits: noDesktops("twm has one desktop and no EWMH"))

  /// ctwm: twm with workspaces.
  public static let ctwm = WindowManager(
    name: "ctwm", command: ["ctwm", "-W", "-f", "{home}/ctwmrc"], packages: ["ctwm"],
    files: [
      "ctwmrc":
        "RandomPlacement \"on\"\nUsePPosition \"on\"\nShowWorkSpaceManager\nWorkSpaces { \"1\" {\"\"} \"2\" {\"\"} }\n"
    ], closesForPagers: false, desktops: .pager(count: 2),
    limits: [
      .init(action: .focusOverDesktop, reason: "ctwm, showing the desktop, keeps a window hidden that is activated")
    ])

  /// Motif's: no EWMH, one desktop.
  public static let mwm = WindowManager(
    name: "mwm", command: ["mwm"], packages: ["mwm"], speaksEWMH: false, focusMethod: .client, desktops: .none,
    limits: noDesktops("mwm has one desktop and no EWMH"))

  /// GNOME's former one.
  public static let metacity = WindowManager(
    name: "metacity", command: ["metacity"], packages: ["metacity", "dbus"], needsBus: true)
  /// MATE's, without compositing.
  public static let marco = WindowManager(
    name: "marco", command: ["marco", "--no-composite"], packages: ["marco", "mate-settings-daemon-common", "dbus"],
    needsBus: true)
  /// MATE's, compositing.
  public static let marcoComposited = WindowManager(
    name: "marco-comp", command: ["marco", "--composite"], packages: ["marco", "mate-settings-daemon-common", "dbus"],
    needsBus: true)
  /// GNOME's, on X11.
  public static let mutter = WindowManager(
    name: "mutter", command: ["mutter", "--x11"], packages: ["mutter", "dbus"], needsBus: true)
  /// Cinnamon's.
  public static let muffin = WindowManager(
    name: "muffin", command: ["muffin"], packages: ["muffin", "cinnamon-settings-daemon", "dbus"], needsBus: true)

  /// KDE's, without compositing.
  public static let kwin = WindowManager(
    name: "kwin", command: ["kwin_x11"], packages: ["kwin-x11", "dbus"],
    files: [".config/kwinrc": "[Desktops]\nNumber=4\nRows=1\n[Compositing]\nEnabled=false\n"],
    environment: ["KWIN_COMPOSE": "N"], needsBus: true, needsDesktopWindow: true)
  /// KDE's, compositing.
  public static let kwinComposited = WindowManager(
    name: "kwin-comp", command: ["kwin_x11"], packages: ["kwin-x11", "dbus", "libgl1-mesa-dri"],
    files: [".config/kwinrc": "[Desktops]\nNumber=4\nRows=1\n[Compositing]\nEnabled=true\nOpenGLIsUnsafe=false\n"],
    environment: ["KWIN_COMPOSE": "O2"], needsBus: true, needsDesktopWindow: true)
  /// KDE's without its shell: no window is the desktop's.
  public static let kwinAlone = WindowManager(
    name: "kwin-alone", command: ["kwin_x11"], packages: kwin.packages, files: kwin.files,
    environment: kwin.environment, needsBus: true,
    limits: [.init(action: .showDesktop, reason: "KWin hides nothing where there is no desktop's window")])

  /// awesome.
  public static let awesome = WindowManager(
    name: "awesome", command: ["awesome"], packages: ["awesome", "dbus"], needsBus: true,
    limits: [noShowDesktop("awesome")])

  /// bspwm.
  public static let bspwm = WindowManager(
    name: "bspwm", command: ["bspwm", "-c", "{home}/bspwmrc"], packages: ["bspwm"],
    files: ["bspwmrc": "#!/bin/sh\nbspc monitor -d I II III IV\nbspc wm --adopt-orphans\n"],
    limits: [
      .init(action: .iconify, reason: "bspwm has no iconic state that a client could ask for"), noShowDesktop("bspwm"),
    ])

  /// herbstluftwm: windows side by side.
  public static let herbstluftwm = WindowManager(
    name: "herbstluftwm", command: ["herbstluftwm", "-c", "{home}/autostart"], packages: ["herbstluftwm"],
    files: ["autostart": "#!/bin/sh\nherbstclient add two\nherbstclient rename default one\n"],
    desktops: .pager(count: 2), limits: [noShowDesktop("herbstluftwm")])

  /// dwm: the focus follows the pointer, no iconic state.
  public static let dwm = WindowManager(
    name: "dwm", command: ["dwm"], packages: ["dwm", "xdotool"], closesForPagers: false, focusMethod: .pointer,
    desktops: .commands(go: ["xdotool", "key", "alt+{number}"], send: ["xdotool", "key", "alt+shift+{number}"]),
    limits: [.init(action: .iconify, reason: "dwm has no iconic state"), noShowDesktop("dwm")])

  /// JWM.
  public static let jwm = WindowManager(name: "jwm", command: ["jwm"], packages: ["jwm"])
  /// Window Maker.
  public static let wmaker = WindowManager(
    name: "wmaker", command: ["wmaker"], packages: ["wmaker"],
    limits: [
      .init(
        action: .showDesktop,
        reason: "Window Maker hides the window with the focus, and leaves the one that gets the focus then",
        effect: .firstOnly)
    ])

  /// evilwm.
  public static let evilwm = WindowManager(
    name: "evilwm", command: ["evilwm", "-fn", "fixed"], packages: ["evilwm", "xfonts-base"], closesForPagers: false,
    limits: [.init(action: .iconify, reason: "evilwm has no iconic state"), noShowDesktop("evilwm")])

  /// Matchbox: one window at a time.
  public static let matchbox = WindowManager(
    name: "matchbox", command: ["matchbox-window-manager"], packages: ["matchbox-window-manager"],
    desktops: .none,
    limits: [
      .init(action: .switchDesktop, reason: "matchbox has one desktop"),
      .init(action: .sendToDesktop, reason: "matchbox has one desktop"),
      .init(action: .showDesktop, reason: "matchbox shows the desktop only where a desktop's window is"),
    ])

  /// Sawfish.
  public static let sawfish = WindowManager(name: "sawfish", command: ["sawfish"], packages: ["sawfish"])

  /// fvwm3.
  public static let fvwm3 = fvwm3("fvwm3", "DesktopSize 1x1\n", "ClickToFocus")
  /// fvwm3, whose focus follows the pointer.
  public static let fvwm3Sloppy = fvwm3("fvwm3-sloppy", "DesktopSize 2x2\n", "FocusFollowsMouse")

  /// spectrwm: windows side by side.
  public static let spectrwm = WindowManager(
    name: "spectrwm", command: ["spectrwm"], packages: ["spectrwm"],
    files: [".spectrwm.conf": "bar_enabled=0\n"],
    limits: [
      .init(action: .iconify, reason: "spectrwm ignores a request for the iconic state"), noShowDesktop("spectrwm"),
    ])

  /// ratpoison: one window at a time, no EWMH.
  public static let ratpoison = WindowManager(
    name: "ratpoison", command: ["ratpoison"], packages: ["ratpoison"], speaksEWMH: false, focusMethod: .client,
    desktops: .none,
    limits: noDesktops("ratpoison has one desktop and no EWMH for it"))

  /// Compiz, compositing.
  public static let compiz = WindowManager(
    name: "compiz", command: ["compiz", "ccp", "--replace"],
    packages: ["compiz", "compiz-plugins-default", "libgl1-mesa-dri", "dbus"], needsBus: true, desktops: .none,
    limits: [
      .init(action: .switchDesktop, reason: "compiz without its settings has one desktop of one viewport"),
      .init(action: .sendToDesktop, reason: "compiz without its settings has one desktop of one viewport"),
    ])

  /// sway, a Wayland compositor, with its Xwayland as the server.
  public static let sway = WindowManager(
    name: "sway (Xwayland)", command: ["sway", "-c", "{home}/config"],
    packages: ["sway", "xwayland", "x11-xserver-utils"],
    files: [
      "config": """
      output HEADLESS-1 resolution 1152x900
      xwayland force
      focus_on_window_activation focus
      exec xhost + && echo $DISPLAY > $HOME/display

      """
    ],
    environment: [
      "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman", "SWAYSOCK": "{home}/socket",
    ],
    closesForPagers: false,
    desktops: .commands(
      go: ["swaymsg", "-s", "{home}/socket", "workspace {number}"],
      send: ["swaymsg", "-s", "{home}/socket", "[id=\"{window}\"] move container to workspace {number}"]),
    displayFile: ("display", ""),
    limits: [
      .init(action: .iconify, reason: "sway has no iconic state"), unseenBySway(.switchDesktop),
      unseenBySway(.sendToDesktop), noShowDesktop("sway"), hosted,
    ], refusesRoot: true)

  /// GNOME's as a Wayland compositor, with its Xwayland as the server.
  public static let mutterWayland = WindowManager(
    name: "mutter (Xwayland)",
    command: [
      "mutter", "--headless", "--wayland", "--virtual-monitor", "1152x900", "--", "sh", "-c",
      "xhost + && echo $DISPLAY > {home}/display; exec sleep 600",
    ], packages: ["mutter", "xwayland", "dbus", "x11-xserver-utils"], needsBus: true, displayFile: ("display", ""),
    limits: [hosted])

  /// The one of that name, as ``all`` have them; nil where none is known.
  /// - Parameter name: The name.
  /// - Returns: The window manager.
  public static func named(_ name: String) -> WindowManager? { all.first { $0.name == name } }

  /// All that are known, installed or not.
  public static let all: [WindowManager] = [
    none, openbox, openboxComposited, i3, i3Floating, i3Tabbed, i3TabbedComposited, xfwm4, xfwm4Composited, icewm,
    fluxbox, twm, ctwm, mwm, metacity, marco, marcoComposited, mutter, muffin, kwin, kwinComposited, kwinAlone, awesome,
    bspwm, herbstluftwm,
    dwm, jwm, wmaker, evilwm, matchbox, sawfish, fvwm3, fvwm3Sloppy, spectrwm, ratpoison, compiz, sway,
    mutterWayland,
  ]
}

extension WindowManager {
  private static func i3(_ name: String, _ lines: String = "", companion: [String] = []) -> WindowManager {
    WindowManager(
      name: name, command: ["i3", "-c", "{home}/i3.conf"], packages: ["i3-wm"] + companion.prefix(1),
      files: ["i3.conf": "font pango:monospace 8\nbindsym Mod4+q kill\n" + lines],
      companion: companion,
      desktops: .commands(
        go: ["i3-msg", "-q", "workspace {number}"],
        send: ["i3-msg", "-q", "[id=\"{window}\"] move container to workspace {number}"]),
      limits: [
        .init(action: .iconify, reason: "i3 answers a request for the iconic state with the normal one"),
        noShowDesktop("i3"),
      ])
  }

  private static func fvwm3(_ name: String, _ size: String, _ focus: String) -> WindowManager {
    WindowManager(
      name: name, command: ["fvwm3", "-f", "{home}/fvwm.conf"], packages: ["fvwm3"],
      files: ["fvwm.conf": size + "EwmhNumberOfDesktops 4\nStyle * \(focus)\nStyle * UsePPosition\n"],
      limits: [noShowDesktop("fvwm3")])
  }

  private static func noShowDesktop(_ name: String) -> Limit {
    Limit(action: .showDesktop, reason: "\(name) does not support _NET_SHOWING_DESKTOP")
  }

  private static func noDesktops(_ reason: String) -> [Limit] {
    [.switchDesktop, .sendToDesktop, .showDesktop].map { Limit(action: $0, reason: reason) }
  }

  private static func unseenBySway(_ action: DeskAction) -> Limit {
    Limit(
      action: action,
      reason:
        "sway leaves windows of another workspace as they are, mapped and NormalState; what they lose is the focus, so that their scenes are inactive",
      effect: .unseen)
  }

  private static let hosted = Limit(
    action: .restartManager, reason: "the compositor is the X server's host: it takes the display along",
    effect: .end)
}
