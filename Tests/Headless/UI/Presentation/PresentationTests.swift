import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore

extension UISuites {
  /// Controllers that are presented: what they are told, who gets input, and how they end.
  @MainActor @Suite("Presentation") struct PresentationTests {
    private let below = LoggedController("A")
    private let shown = LoggedController("B")

    private func stage(_ style: ModalPresentationStyle) throws -> UIStage {
      let stage = try UIStage { [below] in $0.rootViewController = below }
      stage.settle()
      shown.modalPresentationStyle = style
      shown.preferredContentSize = Size(width: 200, height: 100)
      _ = LoggedController.takeLog()
      return stage
    }

    private func present(_ stage: UIStage, animated: Bool = true) -> Window? {
      below.present(shown, animated: animated) { LoggedController.log.append("shown") }
      stage.program.advance(by: 1000)
      return shown.window
    }

    private func log() -> [String] { LoggedController.takeLog() }

    private func isOver(_ stage: UIStage) -> Bool {
      below.presentedViewController == nil && shown.presentingViewController == nil
        && stage.window.windowScene?.windows.count == 1 && stage.window.windowScene?.modalWindows.isEmpty == true
        && stage.window.rootView === below.view
    }

    @Test("A sheet is a window of the scene, whose state stays, and what is below neither appears nor disappears")
    func sheet() throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      #expect(log() == ["B will+", "B did+", "shown"] && window !== stage.window)
      #expect(window.frame == Rect(x: 160, y: 170, width: 200, height: 100) && window.title == "B")
      #expect(below.presentedViewController === shown && shown.presentingViewController === below)
      #expect(stage.window.windowScene?.modalWindows.last === window)
      #expect(stage.window.windowScene?.activationState == .foregroundActive)
      below.dismiss { LoggedController.log.append("hidden") }
      stage.settle()
      #expect(log() == ["B will-", "B did-", "hidden"] && isOver(stage))
    }

    @Test(
      "A sheet has the title that its controller sets when the view is loaded, and a later one",
      arguments: [ModalPresentationStyle.formSheet, .pageSheet])
    func title(_ style: ModalPresentationStyle) throws {
      final class Titled: ViewController { override func viewDidLoad() { title = "Loaded" } }
      let stage = try stage(style)
      let titled = Titled()
      titled.modalPresentationStyle = style
      titled.preferredContentSize = Size(width: 200, height: 100)
      below.present(titled)
      stage.settle()
      let window = try #require(titled.window)
      #expect(window.title == "Loaded" && window !== stage.window)
      titled.title = "Changed"
      #expect(window.title == "Changed")
    }

    @Test("A sheet above a panel is in the middle of it, also where the scene's first window has another scale")
    func otherScale() throws {
      let stage = try stage(.formSheet)
      var screen = HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 3840, height: 2160))
      screen.scale = 2
      stage.program.desk.screens.append(screen)
      let panel = Window(windowScene: try #require(stage.window.windowScene))
      panel.frame = Rect(x: 100, y: 100, width: 300, height: 200)
      let controller = LoggedController("P")
      panel.rootViewController = controller
      panel.isHidden = false
      stage.settle()
      stage.program.desk.move(panel, to: Rect(x: 2400, y: 800, width: 300, height: 200))
      stage.settle()
      #expect(panel.scale == 2 && panel.frame.size == Size(width: 300, height: 200) && stage.window.scale == 1)
      controller.present(shown, animated: false)
      stage.settle()
      let window = try #require(shown.window)
      #expect(window !== panel && window.frame.size == Size(width: 200, height: 100))
      /// The middle, in pixels.
      func middle(_ window: Window) -> Point {
        let (origin, size) = (window.frame.origin, window.pixelSize)
        func pixels(_ points: Int) -> Int { Int(Double(points) * window.scale) }
        return Point(x: pixels(origin.x) + size.width / 2, y: pixels(origin.y) + size.height / 2)
      }
      #expect(middle(window) == middle(panel))
    }

    @Test("A form sheet follows its controller's preferred size while it is shown, as far as the screen has room")
    func preferredSize() throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      shown.preferredContentSize = Size(width: 300, height: 260)
      stage.settle()
      #expect(window.frame.size == Size(width: 300, height: 260) && shown.view.bounds.size == window.frame.size)
      #expect(window.minimumSize == window.frame.size && window.maximumSize == window.frame.size)
      shown.preferredContentSize = Size(width: 200, height: 5000)
      stage.settle()
      #expect(window.frame == Rect(x: 160, y: 32, width: 200, height: 1048))
    }

    @Test("A form sheet grows with its content where the controller says no size, and does not shrink by itself")
    func growing() throws {
      let stage = try stage(.formSheet)
      let (message, accept) = (Label((1...9).map { "Line \($0)" }.joined(separator: "\n")), Button("Sign in"))
      message.numberOfLines = 0
      message.isHidden = true
      let box = StackView(.vertical, [message])
      shown.preferredContentSize = nil
      shown.view = StackView(.vertical, margin: 10, [Label("Account"), box, accept])
      let window = try #require(present(stage))
      let before = window.frame.size
      message.isHidden = false
      stage.settle()
      let grown = window.frame.size
      #expect(grown.height >= before.height + 9 * 10 && grown.width >= before.width)
      #expect(accept.frame.size.height == accept.intrinsicContentSize.height)
      #expect(shown.view.bounds.size == grown && window.minimumSize == grown)
      message.isHidden = true
      stage.settle()
      #expect(window.frame.size == grown)
    }

    @Test("Sheets and windows stay within the screen when its scale becomes a larger one")
    func largerScale() throws {
      let stage = try stage(.formSheet)
      var screen = HeadlessScreen("DP-2", frame: Rect(x: 0, y: 0, width: 1280, height: 960), isPrimary: true)
      stage.program.desk.screens = [screen]
      stage.window.frame = Rect(x: 100, y: 50, width: 1000, height: 880)
      stage.settle()
      shown.preferredContentSize = Size(width: 240, height: 600)
      let window = try #require(present(stage))
      #expect(window.frame.size == Size(width: 240, height: 600))
      screen.scale = 2
      stage.program.desk.screens = [screen]
      stage.settle()
      #expect(window.scale == 2 && stage.window.scale == 2)
      #expect(window.frame.size == Size(width: 240, height: 448) && window.maximumSize == window.frame.size)
      #expect(window.frame.origin.y >= 0 && window.frame.origin.y + 448 <= 480)
      #expect(stage.window.pixelSize == Size(width: 1280, height: 896) && stage.window.frame.origin.x == 0)
      screen.scale = 1
      stage.program.desk.screens = [screen]
      stage.settle()
      #expect(window.frame.size == Size(width: 240, height: 600))
    }

    @Test("A sheet and an alert are not larger than the screen, and the text of the alert is scrolled by keys")
    func largerThanScreen() throws {
      let stage = try stage(.formSheet)
      stage.program.desk.screens = [
        HeadlessScreen("DP-2", frame: Rect(x: 0, y: 0, width: 500, height: 400), isPrimary: true)
      ]
      stage.settle()
      shown.preferredContentSize = Size(width: 900, height: 900)
      let window = try #require(present(stage))
      #expect(window.frame == Rect(x: 0, y: 32, width: 500, height: 368))
      below.dismiss()
      let text = (1...100).map { "Line \($0)" }.joined(separator: "\n")
      let alert = AlertController(title: "Delete?", message: text)
      alert.addAction(AlertAction("Cancel", style: .cancel))
      below.present(alert)
      stage.settle()
      #expect(try #require(alert.view.window).frame.size.height == 368)
      func find<Part: View>(_ view: View) -> Part? {
        view as? Part ?? view.subviews.lazy.compactMap { find($0) }.first
      }
      let (button, message): (Button?, ScrollView?) = (find(alert.view), find(alert.view))
      let end = try #require(button.map { $0.convert($0.bounds, to: nil) })
      #expect(end.origin.y + end.size.height <= 368)
      let scroll = try #require(message)
      #expect(scroll.becomeFirstResponder() && scroll.contentSize.height > 1000)
      stage.send(.type(KeySymbol.pageDown), to: alert.view.window)
      #expect(scroll.contentOffset.y > 100)
    }

    @Test(
      "The buttons of an alert are whole on screens that are narrow, or low for its title",
      arguments: [Size(width: 320, height: 480), Size(width: 640, height: 480)])
    func buttonsOfAlert(_ screen: Size) throws {
      let stage = try stage(.formSheet)
      stage.program.desk.screens = [
        HeadlessScreen("DP-2", frame: Rect(x: 0, y: 0, width: screen.width, height: screen.height), isPrimary: true)
      ]
      stage.settle()
      func buttons(_ view: View) -> [Button] {
        (view as? Button).map { [$0] } ?? view.subviews.flatMap { buttons($0) }
      }
      let many = ["Cancel", "Replace", "Replace All Files", "Skip This File", "Skip All Files", "Rename by Itself"]
      let words = (1...12).map { "Words of a sentence \($0)." }.joined(separator: " ")
      let long = String(repeating: words + " ", count: 20)
      for (title, message, answers) in [
        ("Replace?", "There is one.", many), ("Delete?", words, ["Keep", "Delete"]), (long, "", ["Keep", "Delete"]),
      ] {
        let alert = AlertController(title: title, message: message)
        for answer in answers { alert.addAction(AlertAction(answer)) }
        below.present(alert)
        stage.settle()
        let window = try #require(alert.view.window)
        #expect(buttons(alert.view).count == answers.count)
        for button in buttons(alert.view) {
          let (frame, wish) = (
            button.convert(button.bounds, to: nil), button.sizeThatFits(Size(width: 999, height: 99))
          )
          #expect(frame.size.width >= wish.width && frame.size.height >= wish.height, "\(title.prefix(9)) \(frame)")
          #expect(frame.origin.x >= 0 && frame.origin.x + frame.size.width <= window.frame.size.width)
          #expect(frame.origin.y >= 0 && frame.origin.y + frame.size.height <= window.frame.size.height)
        }
        alert.dismiss()
        stage.settle()
      }
    }

    @Test("A page is nearly as large as what it is above, and can be resized")
    func page() throws {
      let stage = try stage(.pageSheet)
      let window = try #require(present(stage))
      #expect(window.frame.size == Size(width: 240, height: 180) && window.maximumSize == nil)
    }

    @Test("What fills the window takes the place of what is below, in UIKit's order", arguments: [true, false])
    func cover(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      let window = try #require(present(stage, animated: animated))
      #expect(log() == ["A will-", "B will+", "A did-", "B did+", "shown"] && window === stage.window)
      #expect(below.view.window == nil && shown.view.frame == Rect(x: 0, y: 0, width: 320, height: 240))
      #expect(shown.view.transform == .identity && stage.window.rootViewController === below)
      shown.dismiss(animated: animated) { LoggedController.log.append("hidden") }
      stage.program.advance(by: 1000)
      #expect(log() == ["B will-", "A will+", "B did-", "hidden", "A did+"] && isOver(stage))
      let frames = stage.frameRequests
      stage.program.advance(by: 3000)
      #expect(stage.frameRequests == frames)
    }

    @Test("Escape dismisses, unless only the program may", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func escape(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let window = try #require(present(stage))
      shown.isModalInPresentation = true
      stage.send(.type(KeySymbol.escape), to: window)
      stage.program.advance(by: 1000)
      #expect(below.presentedViewController === shown)
      shown.isModalInPresentation = false
      stage.send(.type(KeySymbol.escape), to: window)
      stage.program.advance(by: 1000)
      #expect(isOver(stage))
    }

    @Test("The close button of a sheet dismisses it, unless only the program may")
    func closed() throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      shown.isModalInPresentation = true
      stage.program.desk.close(window)
      stage.settle()
      #expect(below.presentedViewController === shown && !window.isHidden)
      shown.isModalInPresentation = false
      stage.program.desk.close(window)
      stage.settle()
      #expect(isOver(stage))
    }

    @Test(
      "Tab stays within, and what is below gets its focus back",
      arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func focus(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let (under, first, second) = (Button("Under"), Button("One"), Button("Two"))
      for (index, button) in [first, second].enumerated() {
        button.frame = Rect(x: 10, y: 10 + 40 * index, width: 80, height: 30)
        shown.view.addSubview(button)
      }
      under.frame = Rect(x: 10, y: 10, width: 80, height: 30)
      below.view.addSubview(under)
      var presses = 0
      under.addAction(for: .primaryActionTriggered) { presses += 1 }
      #expect(under.becomeFirstResponder())
      let window = try #require(present(stage))
      #expect(first.isFirstResponder)
      for button in [second, first, second] {
        stage.send(.type(KeySymbol.tab, "\t"), to: window)
        #expect(button.isFirstResponder)
      }
      stage.send(.press(20, 20), .release(20, 20), .type(KeySymbol.space, " "))
      #expect(presses == 0)
      below.dismiss()
      stage.program.advance(by: 1000)
      #expect(under.isFirstResponder)
      stage.send(.type(KeySymbol.space, " "))
      #expect(presses == 1)
    }

    @Test(
      "Presented controllers follow the state of the scene", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func background(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let window = try #require(present(stage))
      _ = log()
      stage.program.desk.minimize(stage.window)
      if window !== stage.window { stage.program.desk.minimize(window) }
      stage.program.advance(by: 3000)
      let own = log().filter { $0.hasPrefix("B") }
      #expect(own == ["B will-", "B did-"] && below.presentedViewController === shown)
      stage.program.desk.restore(stage.window)
      if window !== stage.window { stage.program.desk.restore(window) }
      stage.program.advance(by: 1000)
      #expect(log().filter { $0.hasPrefix("B") } == ["B will+", "B did+"])
    }

    @Test("A dismissal takes along all that is above", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func nested(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      _ = present(stage)
      let (upper, uppermost) = (LoggedController("C"), LoggedController("D"))
      upper.modalPresentationStyle = .fullScreen
      shown.present(upper)
      stage.program.advance(by: 1000)
      upper.present(uppermost)
      stage.program.advance(by: 1000)
      #expect(upper.presentingViewController === shown && uppermost.presentingViewController === upper)
      // One at a time: another one is reported, and not shown.
      below.present(LoggedController("E"))
      upper.present(below)
      #expect(below.presentedViewController === shown)
      below.dismiss()
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && upper.presentingViewController == nil && uppermost.window == nil)
      #expect(uppermost.presentingViewController == nil)
    }

    // MARK: Changes within callbacks

    private func pixel(_ stage: UIStage) throws -> UInt32 { try stage.surface()[160, 120] & 0xFFFFFF }

    @Test(
      "A controller that dismisses itself before it fills the window leaves what was there",
      arguments: ["load", " will+"], [true, false])
    func dismissedBeforeShown(_ moment: String, _ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      var isHidden = false
      shown.acts[moment] = { [shown] in shown.dismiss(animated: animated) { isHidden = true } }
      below.present(shown, animated: animated)
      stage.program.advance(by: 1000)
      #expect(try isHidden && isOver(stage) && pixel(stage) == below.color)
      let calls = ["A will-", "B will+", "B will-", "A did-", "A will+", "B did-", "A did+"]
      #expect(log() == (moment == "load" ? [] : calls))
      #expect(try present(stage, animated: animated) === stage.window && pixel(stage) == shown.color)
    }

    @Test("A sheet that dismisses itself when its view is loaded is not shown", arguments: [true, false])
    func sheetDismissedWhenLoaded(_ hasSize: Bool) throws {
      let stage = try stage(.formSheet)
      if !hasSize { shown.preferredContentSize = nil }
      var isHidden = false
      shown.acts["load"] = { [shown] in shown.dismiss { isHidden = true } }
      #expect(present(stage) == nil && isHidden && isOver(stage) && log() == [])
      #expect(present(stage) != nil && log() == ["B will+", "B did+", "shown"])
    }

    @Test("A field that asks for the keys as the view of a sheet is loaded takes none from the window beneath")
    func fieldOfLoadedSheet() throws {
      let stage = try stage(.formSheet)
      let (field, own) = (TextField(), TextField())
      for one in [field, own] { one.frame = Rect(x: 10, y: 10, width: 100, height: 30) }
      below.view.addSubview(field)
      #expect(field.becomeFirstResponder())
      shown.acts["load"] = { [shown] in
        shown.view.addSubview(own)
        own.becomeFirstResponder()
      }
      let window = try #require(present(stage))
      #expect(stage.window.firstResponder === field && window.firstResponder === own)
    }

    private final class AppBased: Responder, ApplicationDelegate {
      var manifest = ApplicationManifest()
      let window = Window()
      let controller: ViewController
      init(_ controller: ViewController) {
        self.controller = controller
        super.init()
        manifest.lifecycleModel = .appBased
      }
      func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
        window.rootViewController = controller
        window.makeKeyAndVisible()
        return true
      }
    }

    @Test("A sheet or an alert that is dismissed as it cancels a press is not shown", arguments: [true, false])
    func dismissedByPress(_ isAlert: Bool) throws {
      let (button, alert) = (Button("Peek"), AlertController(title: "Sure?"))
      let peek = isAlert ? alert : shown
      button.frame = Rect(x: 10, y: 10, width: 80, height: 30)
      below.view.addSubview(button)
      button.addAction(for: .touchDown) { [below] in below.present(peek) }
      button.addAction(for: .touchCancel) { peek.dismiss() }
      let (program, delegate) = (HeadlessProgram(), AppBased(below))
      program.launch(delegate)
      program.advance(by: 1000)
      let (scene, id) = try (#require(WindowScene.implicit), #require(delegate.window.id))
      program.platform.send(.input(id, InputEvent(.press(20, 20), time: 1)))
      program.advance(by: 1000)
      #expect(scene.windows.count == 1 && peek.window == nil && peek.presentingViewController == nil)
      program.platform.send(.input(id, InputEvent(.release(20, 20), time: 1)))
      below.present(peek)
      program.advance(by: 1000)
      #expect(scene.windows.count == 2 && peek.window === scene.windows.last && scene.modalWindows.count == 1)
    }

    @Test(
      "The keys that it took go back from a controller that dismisses itself before it is shown",
      arguments: ["load", " will+"])
    func keysBeforeShown(_ moment: String) throws {
      let stage = try stage(.fullScreen)
      let (field, other) = (TextField(), TextField())
      below.view.addSubview(field)
      #expect(field.becomeFirstResponder())
      shown.acts[moment] = { [shown] in
        shown.view.addSubview(other)
        other.becomeFirstResponder()
        shown.dismiss(animated: false)
      }
      below.present(shown, animated: false)
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && field.isFirstResponder && stage.window.firstResponder === field)
    }

    @Test("The keys do not go back to a field that was hidden, or gets no input any more", arguments: [true, false])
    func keysOfHiddenField(_ isHidden: Bool) throws {
      let stage = try stage(.fullScreen)
      let field = TextField()
      below.view.addSubview(field)
      #expect(field.becomeFirstResponder())
      _ = present(stage, animated: false)
      if isHidden { field.isHidden = true } else { below.view.isUserInteractionEnabled = false }
      below.dismiss(animated: false)
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && !field.isFirstResponder && stage.window.firstResponder == nil)
    }

    @Test("A field whose editing ends as its window is filled may have that ended", arguments: [true, false])
    func dismissedAtEndOfEditing(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      let field = TextField()
      below.view.addSubview(field)
      #expect(field.becomeFirstResponder())
      field.addAction(for: .editingDidEnd) { [weak below] in below?.dismiss(animated: false) }
      below.present(shown, animated: animated)
      stage.program.advance(by: 1000)
      #expect(try isOver(stage) && pixel(stage) == below.color && stage.window.rootView === below.view)
    }

    @Test(
      "A controller that ends what it presents as it disappears goes on, and presents again", arguments: [true, false])
    func dismissedByPresenter(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      below.acts[" will-"] = { [below] in below.dismiss(animated: false) }
      below.present(shown, animated: animated)
      stage.program.advance(by: 1000)
      #expect(try isOver(stage) && pixel(stage) == below.color)
      _ = log()
      #expect(try present(stage, animated: animated) === stage.window && pixel(stage) == shown.color)
      #expect(log().filter { $0 != "shown" } == ["A will-", "B will+", "A did-", "B did+"])
    }

    @Test("A dismissal whose callbacks dismiss the same controller hides it once")
    func dismissedTwice() throws {
      let stage = try stage(.fullScreen)
      _ = present(stage)
      let sheet = LoggedController("C")
      shown.present(sheet)
      stage.settle()
      sheet.acts[" did-"] = { [shown] in shown.dismiss(animated: false) }
      var ends = 0
      below.dismiss(animated: false) { ends += 1 }
      stage.settle()
      #expect(try ends == 1 && isOver(stage) && pixel(stage) == below.color)
    }

    @Test("What a controller presents as it is about to appear again is shown in its place", arguments: [true, false])
    func presentedAtEnd(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      _ = present(stage)
      let next = LoggedController("C")
      next.modalPresentationStyle = .fullScreen
      below.acts[" will+"] = { [below] in below.present(next, animated: animated) }
      shown.dismiss(animated: animated)
      stage.program.advance(by: 1000)
      #expect(try below.presentedViewController === next && pixel(stage) == next.color && shown.view.window == nil)
      next.dismiss(animated: animated)
      stage.program.advance(by: 1000)
      #expect(try below.view.window === stage.window && pixel(stage) == below.color)
    }

    // MARK: Keys while what fills the window slides out

    /// What fills the window has a button, and what is below a field and a button; the keys are on the first button.
    private func leaving() throws -> (stage: UIStage, save: Button, field: TextField, under: Button) {
      let stage = try stage(.fullScreen)
      let (save, field, under) = (Button("Save"), TextField(), Button("Under"))
      for (index, view) in [field, under].enumerated() {
        view.frame = Rect(x: 10, y: 10 + 40 * index, width: 80, height: 30)
        below.view.addSubview(view)
      }
      save.frame = Rect(x: 10, y: 10, width: 80, height: 30)
      shown.view.addSubview(save)
      #expect(field.becomeFirstResponder())
      _ = present(stage)
      #expect(save.isFirstResponder)
      return (stage, save, field, under)
    }

    @Test("While what fills the window slides out it gets no keys, and what is below gets them back")
    func keysOfLeaving() throws {
      let (stage, save, field, _) = try leaving()
      var saves = 0
      save.addAction(for: .primaryActionTriggered) { [shown] in
        saves += 1
        shown.dismiss()
      }
      stage.press([KeySymbol.return])
      #expect(!save.isFirstResponder)
      stage.program.advance(by: 50)
      stage.press([KeySymbol.return])
      #expect(saves == 1)
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && field.isFirstResponder)
    }

    @Test("The keys stay where the user or the program has put them while what fills the window slides out")
    func keysWhileLeaving() throws {
      let (stage, save, field, under) = try leaving()
      shown.dismiss()
      stage.program.advance(by: 50)
      stage.press([KeySymbol.tab, KeySymbol.tab])
      #expect(under.isFirstResponder && !save.isFirstResponder)
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && under.isFirstResponder)
      // From a page that took the keys back.
      field.becomeFirstResponder()
      _ = present(stage)
      below.acts[" will+"] = { under.becomeFirstResponder() }
      shown.dismiss()
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && under.isFirstResponder)
    }

    @Test(
      "A field whose editing ends as it slides out with what fills the window may have another one shown",
      arguments: [true, false])
    func presentedAtEndOfEditing(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      let (field, next) = (TextField(), LoggedController("C"))
      next.modalPresentationStyle = .fullScreen
      _ = present(stage)
      shown.view.addSubview(field)
      #expect(field.becomeFirstResponder())
      field.addAction(for: .editingDidEnd) { [below] in below.present(next, animated: animated) }
      shown.dismiss(animated: animated)
      stage.program.advance(by: 1000)
      #expect(try below.presentedViewController === next && pixel(stage) == next.color && shown.view.window == nil)
      next.dismiss(animated: animated)
      stage.program.advance(by: 1000)
      #expect(try isOver(stage) && pixel(stage) == below.color)
    }

    @Test("A child presents above its outermost parent, and again while the last one slides out")
    func child() throws {
      let navigation = NavigationController(rootViewController: below)
      let stage = try UIStage { $0.rootViewController = navigation }
      stage.settle()
      shown.modalPresentationStyle = .fullScreen
      below.present(shown)
      stage.program.advance(by: 1000)
      #expect(shown.presentingViewController === navigation && below.presentedViewController === shown)
      below.dismiss()
      stage.program.advance(by: 50)
      below.present(shown)
      stage.program.advance(by: 1000)
      #expect(shown.view.window === stage.window && navigation.view.window == nil)
      stage.window.rootViewController = LoggedController("Z")
      stage.settle()
      #expect(shown.window == nil && shown.presentingViewController == nil && navigation.presentedViewController == nil)
    }

    @Test("Whatever takes a sheet away, it has disappeared once", arguments: ["scene", "kill", "quit", "root"])
    func gone(_ how: String) throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      _ = log()
      switch how {
      case "scene": stage.program.desk.close(stage.window)
      case "kill": stage.program.platform.destroyForeign(try #require(window.id))
      case "quit": stage.program.application.terminate()
      default: stage.window.rootViewController = nil
      }
      stage.program.advance(by: 5000)
      #expect(log().filter { $0 == "B did-" }.count == 1 && shown.presentingViewController == nil)
    }

    @Test(
      "Nothing is left of a window that goes while a controller fills it, or is above that",
      arguments: ["scene", "window"], [ModalPresentationStyle.fullScreen, .formSheet])
    func freed(_ how: String, _ style: ModalPresentationStyle) throws {
      let stage = try UIStage { $0.rootView = View() }
      let scene = try #require(stage.window.windowScene)
      weak var root: ViewController?
      weak var cover: ViewController?
      weak var upper: ViewController?
      weak var window: Window?
      do {
        let (controllers, second) = ((0..<3).map { _ in ViewController() }, Window(windowScene: scene))
        second.rootViewController = controllers[0]
        second.makeKeyAndVisible()
        stage.settle()
        (controllers[1].modalPresentationStyle, controllers[2].modalPresentationStyle) = (.fullScreen, style)
        for (below, shown) in zip(controllers, controllers.dropFirst()) { below.present(shown, animated: false) }
        (root, cover, upper, window) = (controllers[0], controllers[1], controllers[2], second)
      }
      stage.program.advance(by: 1000)
      #expect(upper?.presentingViewController === cover && cover?.presentingViewController === root)
      if how == "scene" { stage.program.desk.close(stage.window) } else { window?.windowScene = nil }
      stage.program.advance(by: 5000)
      #expect(root == nil && cover == nil && upper == nil && window == nil)
    }

    @Test("Without a window of a scene nothing is presented, and a dismissal of nothing completes")
    func homeless() {
      ViewController().present(shown)
      var isOver = false
      shown.dismiss { isOver = true }
      #expect(shown.presentingViewController == nil && isOver)
    }

    // MARK: Dimming

    /// A form, whose window a sheet dims.
    private func form(_ style: InterfaceStyle) throws -> UIStage {
      let field = TextField("Ada Lovelace")
      below.view = StackView(
        .vertical, spacing: 10, margin: 16,
        [
          Label("A form", font: .heading), field, Switch("Agree", isOn: true, style: .checkbox),
          Slider(0.4, in: 0...1),
          StackView(.horizontal, [Button("Plain"), Button("Filled", style: .filled), Spacer()]),
          Spacer(),
        ])
      let stage = try UIStage { [below] window in
        window.overrideAppearance = style
        window.rootViewController = below
      }
      shown.preferredContentSize = Size(width: 200, height: 100)
      stage.settle()
      return stage
    }

    private func pixels(_ surface: HeadlessSurface) -> [UInt32] {
      (0..<surface.size.height).flatMap { y in (0..<surface.size.width).map { surface[$0, y] } }
    }

    /// Whether the colours of pixels are those of others in a share, but for rounding.
    private func isNear(_ first: [UInt32], _ second: [UInt32], times share: Double = 1) -> Bool {
      zip(first, second).allSatisfy { one, other in
        [UInt32(0), 8, 16].allSatisfy { shift in
          abs(Double(one >> shift & 0xFF) * share - Double(other >> shift & 0xFF)) < 2.5
        }
      }
    }

    @Test("The window beneath a sheet is dimmed until it is dismissed", arguments: [InterfaceStyle.light, .dark])
    func dimmed(_ style: InterfaceStyle) throws {
      let stage = try form(style)
      let before = pixels(try stage.surface())
      let window = try #require(present(stage))
      let dimmed = pixels(try stage.surface())
      try Pictures.expect(stage.surface(), "sheet-below-\(style)", tolerance: 0.01)
      let share = style == .light ? 0.7 : 0.5
      #expect(isNear(before, dimmed, times: share))
      // What changes beneath is drawn dimmed, too, and only once where damage overlaps.
      stage.window.setNeedsDisplay(Rect(x: 0, y: 0, width: 60, height: 60))
      stage.window.setNeedsDisplay(Rect(x: 30, y: 30, width: 90, height: 90))
      stage.settle()
      #expect(isNear(dimmed, pixels(try stage.surface())))
      // A sheet above the sheet dims both, and a menu of the topmost nothing.
      let upper = LoggedController("C")
      upper.view = PopUpButton(["One", "Two"])
      let sheet = try #require(window.id.flatMap { stage.program.platform.surface(of: $0) })
      let clear = pixels(sheet)
      shown.present(upper)
      stage.settle()
      let dark = pixels(try #require(window.id.flatMap { stage.program.platform.surface(of: $0) }))
      #expect(try dark != clear && isNear(dimmed, pixels(stage.surface())))
      shown.dismiss()
      stage.settle()
      #expect(pixels(try #require(window.id.flatMap { stage.program.platform.surface(of: $0) })) == clear)
      #expect(isNear(dimmed, pixels(try stage.surface())))
      below.dismiss()
      stage.settle()
      #expect(pixels(try stage.surface()) == before)
    }

    @Test("A menu of a sheet is not dimmed, and the window beneath is not enabled for screen readers")
    func menuOfSheet() throws {
      let stage = try form(.light)
      stage.program.machine.startScreenReader()
      let choices = PopUpButton(["One", "Two"])
      shown.view.addSubview(choices)
      choices.frame = Rect(x: 10, y: 10, width: 100, height: 30)
      let window = try #require(present(stage))
      stage.send(.press(30, 20), .release(30, 20), to: window)
      stage.settle()
      let menu = try #require(stage.program.application.conductor?.feature(PopUps.self)?.presented.first)
      let surface = try #require(menu.id.flatMap { stage.program.platform.surface(of: $0) })
      #expect(pixels(surface).contains(0xFFFF_FFFF))
      let enabled = stage.program.machine.accessibleWindows.map { $0.properties.states.contains(.enabled) }
      #expect(enabled == [false, true])
      below.dismiss()
      stage.settle()
      #expect(stage.program.machine.accessibleWindows.map { $0.properties.states.contains(.enabled) } == [true])
    }

    @Test("An alert is presented as other controllers are")
    func alert() throws {
      let stage = try stage(.formSheet)
      let alert: ViewController = AlertController(title: "Sure?")
      var isShown = false
      below.present(alert, animated: true) { isShown = true }
      stage.settle()
      #expect((alert as? AlertController)?.isPresented == true && isShown)
    }
  }
}
