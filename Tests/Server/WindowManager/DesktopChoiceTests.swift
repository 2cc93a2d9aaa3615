import DeskSupport
import ProsceniumCore
import SceneLifecycle
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What an XSETTINGS manager may write, which can be anything.
@Suite("XSETTINGS values") struct XSettingsTests {
  private func settings(isBigEndian: Bool) -> SettingsBytes {
    var bytes = SettingsBytes(isBigEndian: isBigEndian)
    bytes.add("Net/ThemeName", "Adwaita-dark")
    bytes.addColor("a")
    bytes.add("Xft/DPI", 144 * 1024)
    bytes.add("Net/CursorBlink", 0)
    bytes.add("Gtk/EnableAnimations", 0)
    bytes.add("Empty", "")
    return bytes
  }

  @Test("Both byte orders say the same", arguments: [false, true])
  func orders(isBigEndian: Bool) throws {
    let settings = try #require(XSettings(settings(isBigEndian: isBigEndian).bytes()))
    #expect(settings.text("Net/ThemeName") == "Adwaita-dark" && settings.text("Empty") == "")
    #expect(settings.integer("Xft/DPI") == 144 * 1024 && settings.dpi == 144)
    #expect(settings.integer("Net/ThemeName") == nil && settings.text("Xft/DPI") == nil)
    #expect(
      settings.values["a"] == .color(isBigEndian ? [0x102, 0x304, 0x506, 0x708] : [0x201, 0x403, 0x605, 0x807]))
    #expect(settings.looks.style == .dark && settings.looks.caretBlinks == false)
    #expect(settings.looks.prefersReducedMotion == true)
  }

  @Test("What is cut off anywhere, or says more than is there, is no settings at all", arguments: [false, true])
  func damaged(isBigEndian: Bool) {
    let whole = settings(isBigEndian: isBigEndian)
    let bytes = whole.bytes()
    for length in 0..<bytes.count { #expect(XSettings(Array(bytes.prefix(length))) == nil, "\(length) bytes") }
    for count: UInt32 in [7, 4096, 4097, .max] { #expect(XSettings(whole.bytes(count: count)) == nil) }
    // Fewer than are there: the rest is left alone.
    #expect(XSettings(whole.bytes(count: 1))?.values.count == 1)
    #expect(XSettings(whole.bytes(count: 0))?.values == [:])
    // Lengths that reach over the end, types and byte orders that there are none of.
    var wild = bytes
    wild[0] = 2
    #expect(XSettings(wild) == nil)
    wild = bytes
    wild[12] = 3
    #expect(XSettings(wild) == nil)
    wild = bytes
    (wild[14], wild[15]) = (255, 255)
    #expect(XSettings(wild) == nil)
  }

  @Test("Names, and names of themes, that are longer than any are no settings and no theme")
  func long() throws {
    // To sort the marks of a letter takes a time that grows with the square of their number
    let marks = String(repeating: "\u{323}\u{301}", count: 1000)
    var named = settings(isBigEndian: false)
    named.add("a" + marks, 1)
    #expect(XSettings(named.bytes()) == nil)
    named = SettingsBytes()
    named.add(String(repeating: "a", count: 255), 1)
    #expect(XSettings(named.bytes())?.values.count == 1)
    named.add("Net/ThemeName", "a" + marks + "-dark")
    #expect(try #require(XSettings(named.bytes())).looks.style == DesktopSettings().style)
  }

  @Test("Any bytes are read without harm", arguments: testSeeds(20, test: "noise"))
  func noise(seed: UInt64) {
    var random = SeededNumbers(seed)
    for _ in 0..<500 {
      var bytes = settings(isBigEndian: Bool.random(using: &random)).bytes()
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let settings = XSettings(bytes)
      #expect((settings?.values.count ?? 0) <= bytes.count / 8)
      if let dpi = settings?.dpi { #expect((20...2000).contains(dpi)) }
    }
  }
}

extension X11PlatformTests {
  /// The screen saver and the settings of the desktop, on a real server.
  @MainActor @Suite("Choices of the desktop") struct DesktopChoiceTests {
    let server: TestServer
    let stage: Recording

    init() throws {
      server = try #require(TestServer())
      stage = try Recording(server)
    }

    private var told: [DesktopSettings] {
      stage.events.compactMap { if case .settings(let settings) = $0 { settings } else { nil } }
    }

    private func settings(theme: String, dpi: Int32? = nil) -> [UInt8] {
      var bytes = SettingsBytes()
      bytes.add("Net/ThemeName", theme)
      if let dpi { bytes.add("Xft/DPI", dpi * 1024) }
      return bytes.bytes()
    }

    @Test("A manager's settings are told when it comes, when they change and when it goes, and only what differs")
    func settings() throws {
      let manager = try XClient(display: server.display)
      let first = manager.manageSettings(settings(theme: "Adwaita-dark"))
      stage.platform.followSettings()
      #expect(stage.run { told.map(\.style) == [.dark] })
      manager.changeSettings(first, settings(theme: "Adwaita-dark"))
      manager.changeSettings(first, settings(theme: "Clearlooks"))
      #expect(stage.run { told.map(\.style) == [.dark, .light] })
      // Rubbish says nothing; neither does a property of another type.
      manager.changeSettings(first, [0, 1, 2])
      #expect(stage.run { told.map(\.style) == [.dark, .light, nil] })
      manager.setProperty(first, "_XSETTINGS_SETTINGS", type: "STRING", format: 8, bytes: settings(theme: "x-dark"))
      // Another manager takes over; the first one's window is nothing any more.
      let second = manager.manageSettings(settings(theme: "Other-Dark", dpi: 192))
      #expect(stage.run { told.map(\.style) == [.dark, .light, nil, .dark] })
      manager.changeSettings(first, settings(theme: "Clearlooks"))
      // Without resources the resolution is the settings'.
      #expect(
        stage.run {
          stage.events.contains { event in
            if case .screens(let screens) = event { screens.first?.scale == 2 } else { false }
          }
        })
      manager.destroy(second)
      #expect(stage.run { told.map(\.style) == [.dark, .light, nil, .dark, nil] })
      #expect(stage.errors == [])
    }

    @Test("Nothing is asked before the launch is over, and then once")
    func lazily() throws {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.levels[window]?.visible == true })
      let connection = stage.platform.parts.server.connection
      #expect(!stage.platform.parts.settings.isAsked && stage.platform.parts.server.atoms[.settings] == 0)
      let before = connection.lastRequest
      stage.platform.followSettings()
      stage.platform.followSettings()
      #expect(stage.run { stage.platform.parts.server.atoms[.settings] != 0 })
      // The name of the keyboard's rules among them, which is asked for with the focus.
      #expect(connection.lastRequest - before <= 15)
    }

    @Test("A saver that is on before it is asked about is told, and so are its end and its return")
    func saver() throws {
      let other = try XClient(display: server.display)
      var told: [Bool] { stage.events.compactMap { if case .screenSaver(let isOn) = $0 { isOn } else { nil } } }
      other.forceScreenSaver(isOn: true)
      stage.platform.followSettings()
      #expect(stage.run { told == [true] })
      other.forceScreenSaver(isOn: false)
      #expect(stage.run { told == [true, false] })
      other.forceScreenSaver(isOn: true)
      #expect(stage.run { told == [true, false, true] })
      #expect(stage.errors == [])
    }
  }
}
