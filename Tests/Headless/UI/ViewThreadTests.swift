import FoundationEssentials
import ProsceniumCore
import ProsceniumUI
import Testing

@MainActor @Suite("Views on another thread than the main one") struct ViewThreadTests {
  /// What changes a view, be it in a window or not.
  enum Change: String, Codable, CaseIterable {
    case frame, bounds, isHidden, alpha, background, clips, caches, cursor, appearance, size, stretching, placement
    case interaction, display, layout, intrinsic
    case add, insert, remove, front, back
    case layoutText, layoutFont, layoutWidth, layoutSpacing, controllerTitle, controllerView, alertAction
    case addTarget, addAction, removeTarget, registerRow, registerItem
    case step, fieldStep, columnWidth, child, push, minimumDate, maximumDate, heights
  }

  @Test("A change ends a debug build, which says what to do", arguments: Change.allCases)
  func change(_ change: Change) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [change = change as Change] in
      await ThreadTests.run(ViewThreadTests.body(change))
    }
    try ThreadTests.expectAdvice(result)
  }

  private static func body(_ change: Change) -> @Sendable () -> Void {
    let (view, inner, other, new) = (View(), View(), View(), View())
    view.addSubview(inner)
    view.addSubview(other)
    let rect = Rect(x: 0, y: 0, width: 9, height: 9)
    let (text, controller, alert) = (TextLayout(), ViewController(), AlertController(title: "A"))
    let action = Action({ (_: Control) in { (_: AnyObject?) in } })
    let (control, table, collection) = (Control(), TableView(), CollectionView())
    let (stepper, number, date, child) = (Stepper(), NumberField(), DatePicker(), ViewController())
    let split = SplitViewController(primary: ViewController(), secondary: ViewController())
    let navigation = NavigationController(rootViewController: ViewController())
    return switch change {
    case .frame: ThreadTests.set(view, \.frame, rect)
    case .bounds: ThreadTests.set(view, \.bounds, Rect(x: 1, y: 1, width: 0, height: 0))
    case .isHidden: ThreadTests.set(view, \.isHidden, true)
    case .alpha: ThreadTests.set(view, \.alpha, 0.5)
    case .background: ThreadTests.set(view, \.backgroundColor, .white)
    case .clips: ThreadTests.set(view, \.clipsToBounds, true)
    case .caches: ThreadTests.set(view, \.cachesDrawing, true)
    case .cursor: ThreadTests.set(view, \.cursor, .arrow)
    case .appearance: ThreadTests.set(view, \.overrideAppearance, .dark)
    case .size: ThreadTests.set(view, \.preferredSize, Size(width: 9, height: 9))
    case .stretching: ThreadTests.set(view, \.isStretching, true)
    case .placement: ThreadTests.set(view, \.stackPlacement, StackPlacement())
    case .interaction: ThreadTests.set(view, \.isUserInteractionEnabled, false)
    case .display: ThreadTests.call { view.setNeedsDisplay() }
    case .layout: ThreadTests.call { view.setNeedsLayout() }
    case .intrinsic: ThreadTests.call { view.invalidateIntrinsicContentSize() }
    case .add: ThreadTests.call { view.addSubview(new) }
    case .insert: ThreadTests.call { view.insertSubview(new, at: 0) }
    case .remove: ThreadTests.call { inner.removeFromSuperview() }
    case .front: ThreadTests.call { view.bringSubviewToFront(inner) }
    case .back: ThreadTests.call { view.sendSubviewToBack(other) }
    case .layoutText: ThreadTests.set(text, \.text, "a")
    case .layoutFont: ThreadTests.set(text, \.font, .system)
    case .layoutWidth: ThreadTests.set(text, \.width, 9)
    case .layoutSpacing: ThreadTests.set(text, \.lineSpacing, 1)
    case .controllerTitle: ThreadTests.set(controller, \.title, "a")
    case .controllerView: ThreadTests.set(controller, \.view, view)
    case .addTarget: ThreadTests.call { control.addTarget(nil, action: action, for: .valueChanged) }
    case .addAction: ThreadTests.call { control.addAction(for: .valueChanged) {} }
    case .removeTarget: ThreadTests.call { control.removeTarget(nil, for: .valueChanged) }
    case .registerRow: ThreadTests.call { table.register({ TableViewCell() }, forCellReuseIdentifier: "a") }
    case .registerItem:
      ThreadTests.call { collection.register({ CollectionViewCell() }, forCellWithReuseIdentifier: "a") }
    case .step: ThreadTests.set(stepper, \.stepValue, 7)
    case .fieldStep: ThreadTests.set(number, \.stepValue, 7)
    case .columnWidth: ThreadTests.set(split, \.primaryColumnWidth, 90)
    case .child: ThreadTests.call { controller.addChild(child) }
    case .push: ThreadTests.call { navigation.pushViewController(child) }
    case .minimumDate: ThreadTests.set(date, \.minimumDate, .distantPast)
    case .maximumDate: ThreadTests.set(date, \.maximumDate, .distantFuture)
    case .heights: ThreadTests.set(table, \.hasVariableRowHeights, true)
    case .alertAction: ThreadTests.call { alert.addAction(AlertAction("a")) }
    }
  }
}
