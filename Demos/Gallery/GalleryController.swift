import Proscenium
import ProsceniumUI

/// A menu bar, and the pages below it.
@MainActor final class GalleryController: ViewController {
  let form = FormController()
  let pictures = PicturesPage()
  let numbers = NumbersPage()
  let motion = MotionController()
  private(set) lazy var tabs = TabBarController([form, pictures, numbers, motion])

  override func loadView() {
    (form.title, motion.title) = ("Form", "Motion")
    addChild(tabs)
    tabs.view.isStretching = true
    view = StackView(.vertical, spacing: 0, [MenuBar(menus), tabs.view])
    tabs.didMove(toParent: self)
  }

  private var menus: [Menu] {
    [
      Menu(
        "File",
        children: [GalleryProgram.newCommand, ClosingScene.closeCommand, GalleryProgram.quitCommand].map {
          MenuItem($0)
        }
      ),
      .standardEdit,
      Menu("Picture", children: PicturesPage.commands),
      Menu("View", children: Appearance.allCases.map { MenuItem($0.rawValue, action: $0.action) }),
    ]
  }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["tabs": tabs.restorationState, "appearance": appearance.rawValue]) { $1 } }
    set {
      tabs.restorationState = newValue["tabs"] as? [String: any Sendable] ?? [:]
      appearance = (newValue["appearance"] as? String).flatMap(Appearance.init) ?? .automatic
      super.restorationState = newValue
    }
  }
}

// MARK: Light and dark

extension GalleryController: MenuValidating {
  /// Whose choice the colours of the window are.
  enum Appearance: String, CaseIterable {
    case automatic = "As the Desktop", light = "Light", dark = "Dark"

    @MainActor var action: Action {
      switch self {
      case .automatic: Action(GalleryController.followDesktop)
      case .light: Action(GalleryController.makeLight)
      case .dark: Action(GalleryController.makeDark)
      }
    }
  }

  private var appearance: Appearance {
    get {
      switch window?.overrideAppearance {
      case .light: .light
      case .dark: .dark
      default: .automatic
      }
    }
    set {
      window?.overrideAppearance =
        switch newValue {
        case .automatic: nil
        case .light: .light
        case .dark: .dark
        }
      window?.windowScene?.invalidateRestorableState()
    }
  }

  func validate(_ item: MenuItem) { item.state = item.title == appearance.rawValue ? .on : .off }

  private func followDesktop(_ sender: AnyObject?) { appearance = .automatic }
  private func makeLight(_ sender: AnyObject?) { appearance = .light }
  private func makeDark(_ sender: AnyObject?) { appearance = .dark }
}
