import FoundationEssentials
import Proscenium
import ProsceniumUI

/// The page with a million numbers, each of which leads on to its factors.
@MainActor final class NumbersPage: NavigationController {
  init() {
    super.init(rootViewController: NumbersController())
    title = "Numbers"
  }
}

/// A table with as many rows as there are numbers.
@MainActor final class NumbersController: ViewController {
  private static let numbers = 1...1_000_000
  let table = TableView()

  override func loadView() { view = table }

  override func viewDidLoad() {
    title = "Numbers"
    table.register({ TableViewCell() }, forCellReuseIdentifier: "number")
    (table.dataSource, table.delegate) = (self, self)
    table.accessibilityLabel = "Numbers"
  }

  override func viewDidAppear() {
    if window?.firstResponder as? View == nil { table.becomeFirstResponder() }
  }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["list": table.restorationState]) { $1 } }
    set {
      table.restorationState = newValue["list"] as? [String: any Sendable] ?? [:]
      super.restorationState = newValue
    }
  }

  override func viewController(withRestorationIdentifier identifier: String) -> ViewController? {
    Int(identifier).flatMap { Self.numbers.contains($0) ? FactorsController($0) : nil }
  }
}

extension NumbersController: TableViewDataSource, TableViewDelegate {
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { Self.numbers.count }

  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "number", for: indexPath)
    cell.textLabel.text = "\(indexPath.row + 1)"
    cell.accessoryType = .disclosureIndicator
    return cell
  }

  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {
    (parent as? NumbersPage)?.pushViewController(FactorsController(indexPath.row + 1))
  }
}

/// The prime factors of a number.
@MainActor final class FactorsController: ViewController {
  private let number: Int

  init(_ number: Int) {
    self.number = number
    super.init()
    title = "\(number)"
    restorationIdentifier = title
  }

  override func viewDidLoad() {
    let label = Label(Self.factors(of: number).map(String.init).joined(separator: " × "), font: .heading)
    label.alignment = .center
    label.isStretching = true
    view = StackView(.vertical, margin: 16, [label])
  }

  static func factors(of number: Int) -> [Int] {
    var (rest, factor, factors) = (number, 2, [Int]())
    while factor * factor <= rest {
      if rest % factor == 0 {
        factors.append(factor)
        rest /= factor
      } else {
        factor += 1
      }
    }
    return rest > 1 || factors.isEmpty ? factors + [rest] : factors
  }
}
