import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  @MainActor @Suite("Appearances of places") struct AppearanceTests {
    final class Chameleon: View {
      var seen: [InterfaceStyle] = []
      override func appearanceDidChange() {
        super.appearanceDidChange()
        seen.append(effectiveAppearance)
      }
    }

    @Test("A view is told of the appearance of the window or the view that it comes to, if that is another one")
    func moves() throws {
      let (inner, other) = (Chameleon(), Chameleon())
      let dark = View()
      let stage = try UIStage { window in
        window.overrideAppearance = .dark
        window.rootView = dark
      }
      let holder = View()
      holder.addSubview(inner)
      #expect(inner.seen == [])
      dark.addSubview(holder)
      #expect(inner.seen == [.dark])
      holder.removeFromSuperview()
      #expect(inner.seen == [.dark, .light])
      // Between places of one appearance nothing changes.
      View().addSubview(holder)
      #expect(inner.seen == [.dark, .light])
      stage.window.rootView = other
      #expect(other.seen == [.dark])
      stage.window.rootView = nil
      #expect(other.seen == [.dark, .light])
    }

    @Test("Views are told when the user chooses another appearance, or more contrast, and once each")
    func chosen() throws {
      let view = Chameleon()
      let stage = try UIStage { $0.rootView = view }
      InterfaceStyle.preferred = nil
      defer { InterfaceStyle.preferred = .light }
      #expect(view.theme == .light && view.seen == [.light])
      view.seen = []
      var settings = DesktopSettings()
      func choose(_ change: (inout DesktopSettings) -> Void) {
        change(&settings)
        stage.program.platform.send(.settings(settings))
        stage.program.platform.advance(by: 100)
      }
      choose { $0.style = .dark }
      #expect(view.theme == .dark && view.seen == [.dark])
      #expect(stage.window.backgroundColor == Theme.dark.background)
      choose { $0.prefersHighContrast = true }
      #expect(view.theme == .darkHighContrast && view.seen == [.dark, .dark])
      #expect(stage.window.backgroundColor == .black)
      view.overrideAppearance = .light
      #expect(view.theme == .lightHighContrast && view.seen.count == 3)
      choose { $0.prefersHighContrast = false }
      #expect(view.theme == .light && view.seen.count == 4)
      choose { $0.region = "de_DE" }
      #expect(view.seen.count == 4)
    }

    @Test(
      "What was in no window while the user chose is told when it comes into one, each view of what it was not told")
    func chosenMeanwhile() throws {
      let stage = try UIStage { $0.rootView = View() }
      let root = try #require(stage.window.rootView)
      InterfaceStyle.preferred = nil
      defer { InterfaceStyle.preferred = .light }
      var settings = DesktopSettings()
      func choose(_ change: (inout DesktopSettings) -> Void) {
        change(&settings)
        stage.program.platform.send(.settings(settings))
        stage.program.platform.advance(by: 100)
      }
      let (page, inner, own, hidden) = (Chameleon(), Chameleon(), Chameleon(), Chameleon())
      own.overrideAppearance = .light
      own.seen = []
      page.addSubview(inner)
      page.addSubview(own)
      root.addSubview(hidden)
      hidden.removeFromSuperview()
      choose { $0.style = .dark }
      let late = Chameleon()
      page.addSubview(late)
      #expect([page, inner, own, late, hidden].allSatisfy { $0.seen == [] })
      root.addSubview(page)
      #expect(page.seen == [.dark] && inner.seen == [.dark] && own.seen == [] && late.seen == [])
      root.addSubview(hidden)
      #expect(hidden.seen == [.dark])
      // More contrast is another appearance too, with or without a style of its own.
      page.removeFromSuperview()
      choose { $0.prefersHighContrast = true }
      stage.window.rootView = page
      #expect(page.seen == [.dark, .dark] && inner.seen == [.dark, .dark] && own.seen == [.light])
      #expect(late.seen == [.dark])
      // What was told on its own meanwhile is told again, although the view around it knows.
      stage.window.rootView = View()
      choose { $0.style = .light }
      inner.removeFromSuperview()
      page.addSubview(inner)
      #expect(inner.seen == [.dark, .dark, .light])
      choose { $0.style = .dark }
      stage.window.rootView = page
      #expect(page.seen == [.dark, .dark] && inner.seen == [.dark, .dark, .light, .dark])
    }

    @Test(
      "Texts can be read on what they stand on", arguments: [Theme.light, .dark, .lightHighContrast, .darkHighContrast])
    func readable(theme: Theme) {
      let isHigh = theme == .lightHighContrast || theme == .darkHighContrast
      for background in [theme.background, theme.contentBackground, theme.controlBackground] {
        #expect(theme.label.contrast(with: background) >= (isHigh ? 15 : 7))
        #expect(theme.secondaryLabel.contrast(with: background) >= (isHigh ? 7 : 4.5))
        #expect(theme.separator.contrast(with: background) >= (isHigh ? 15 : 1.2))
        #expect(theme.destructive.contrast(with: background) >= (isHigh ? 7 : 4.5))
      }
      // The backgrounds of selected rows, with and without the keys.
      for background in [theme.selection, theme.controlPressed] {
        #expect(theme.label.contrast(with: background) >= (isHigh ? 7 : 4.5))
      }
      for background in [theme.accentBackground, theme.destructiveBackground] {
        #expect(theme.accentLabel.contrast(with: background) >= (isHigh ? 7 : 4.5))
      }
    }
  }
}
