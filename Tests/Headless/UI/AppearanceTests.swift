import ProsceniumCore
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
  }
}
