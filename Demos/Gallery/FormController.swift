import FoundationEssentials
import Proscenium
import ProsceniumUI

/// A page with every control, which is there again as it was filled in, whatever ended the program.
@MainActor final class FormController: ViewController {
  /// The controls whose values are kept, by name.
  private(set) var fields: [String: View] = [:]
  /// The values of a new form.
  private var firstValues: [String: any Sendable] = [:]
  private lazy var page = FormPage([column(texts), column(choices), column(numbers)])
  private let steps = Label()
  private let progress = ProgressView()
  private let working = ActivityIndicator()
  private let send = Button("")

  override func viewDidLoad() {
    send.style = .filled
    send.titleWithMnemonic = "_Send"
    send.addAction(for: .primaryActionTriggered) { [weak self] in self?.answer() }
    view = page
    firstValues = values
    update()
  }

  // The caret is where it was: in the first field of a new form.
  override func viewDidAppear() {
    if window?.firstResponder as? View == nil { fields["name"]?.becomeFirstResponder() }
  }

  // MARK: What depends on what

  /// Called after each change by the user.
  private func update() {
    send.isEnabled = (fields["name"] as? TextField)?.text.isEmpty == false
    progress.progress = (fields["quality"] as? Slider)?.value ?? 0
    steps.text = "\(Int((fields["steps"] as? Stepper)?.value ?? 0)) steps"
    if (fields["working"] as? Switch)?.isOn == true { working.startAnimating() } else { working.stopAnimating() }
  }

  private func answer() {
    let name = (fields["name"] as? TextField)?.text ?? ""
    let alert = AlertController(title: "Thank you, \(name).", message: "Nothing has been sent: this is a demo.")
    alert.addAction(AlertAction("Empty the Form", style: .destructive) { [weak self] in self?.empty() })
    alert.addAction(AlertAction("Go On", style: .cancel))
    present(alert)
  }

  private func empty() {
    values = firstValues
    // The values of a form have none of a password.
    (fields["password"] as? TextField)?.text = ""
    update()
    window?.windowScene?.invalidateRestorableState()
  }

  // MARK: Restoration

  private var values: [String: any Sendable] {
    get { fields.compactMapValues { ($0 as? any RestorableView)?.restorationValue } }
    set {
      for (name, field) in fields { (field as? any RestorableView)?.restorationValue = newValue[name] }
    }
  }

  override var restorationState: [String: any Sendable] {
    get {
      _ = view
      var state = super.restorationState
      state["values"] = values
      state["focus"] = fields.first { $0.value.isFirstResponder }?.key
      // A page that has not been shown again is where it was.
      state["scroll"] = page.firstOffset ?? page.contentOffset.y
      return state
    }
    set {
      _ = view
      values = newValue["values"] as? [String: any Sendable] ?? [:]
      (newValue["focus"] as? String).flatMap { fields[$0] }?.becomeFirstResponder()
      page.firstOffset = newValue["scroll"] as? Int
      update()
      super.restorationState = newValue
    }
  }
}

// MARK: The controls

extension FormController: TextFieldDelegate {
  private static let countries = [
    "Argentina", "Austria", "Australia", "Belgium", "Brazil", "Canada", "Chile", "China", "Denmark", "Egypt", "France",
    "Germany", "Greece", "India", "Japan", "Kenya", "Mexico", "Norway", "Peru", "Portugal", "Spain", "Taiwan",
  ]

  func textField(_ textField: TextField, completionsFor text: String) -> [String] {
    textField === fields["country"] ? Self.countries : []
  }

  private var texts: [View] {
    let name = TextField("", placeholder: "In any script")
    name.clearButtonMode = .whileEditing
    let country = TextField("", placeholder: "Is completed")
    country.delegate = self
    let password = TextField("", placeholder: "Is not kept")
    password.isSecureTextEntry = true
    let about = FramedTextView()
    about.stackPlacement.minimumSize.height = 76
    return [
      Label("Texts", font: .heading), row("_Name", "name", name), row("_Country", "country", country),
      row("_Password", "password", password), row("_Born", "born", DatePicker(Self.firstDate)),
      row("_About you", "about", about),
      row("", nil, Link("All scripts", url: Self.scripts)),
    ]
  }

  private var choices: [View] {
    let sizes = ["Small", "Medium", "Large"].map { Switch($0, style: .radio) }
    let group = SwitchGroup(sizes)
    for size in group.switches { keep(size, "size " + size.title) }
    let papers = PopUpButton(["Laid", "Wove", "Handmade"])
    papers.toolTip = "The paper of the letters"
    let insured = Switch("Insured", style: .checkbox)
    insured.isEnabled = false
    return [
      Label("Choices", font: .heading),
      row("N_ews", "news", Switch("By letter")),
      row("", "parcels", Switch("Parcels too", style: .checkbox)), row("", nil, insured),
      row("Size", nil, StackView(.vertical, spacing: 4, sizes)),
      row("_Way", "way", SegmentedControl(["Post", "Rail", "Air"])),
      row("Pape_r", "paper", papers),
      row("_Ink", "ink", ColorWell(Color(rgb: 0x1A66D6))),
    ]
  }

  private var numbers: [View] {
    let stepper = Stepper()
    keep(stepper, "steps")
    let unknown = ProgressView()
    unknown.isIndeterminate = true
    unknown.accessibilityLabel = "Waiting"
    progress.accessibilityLabel = "Quality"
    let switching = Switch("")
    keep(switching, "working")
    let work = StackView(.horizontal, spacing: 16, [switching, working])
    let steps = StackView(.horizontal, [stepper, steps])
    for stack in [work, steps] { stack.alignment = .firstBaseline }
    return [
      Label("Numbers", font: .heading), row("C_opies", "copies", NumberField(1, in: 1...99)),
      row("_Quality", "quality", Slider(0.5)), row("", nil, progress),
      row("S_teps", nil, steps), row("At wor_k", nil, work),
      row("", nil, unknown), row("", nil, send),
    ]
  }

  private static let scripts = URL(string: "https://www.unicode.org/charts/") ?? URL(filePath: "/")
  private static let firstDate = Date(timeIntervalSince1970: 946_684_800)

  /// A control beside its label; its value is kept if it has a name.
  private func row(_ title: String, _ name: String?, _ control: View) -> View {
    let label = Label()
    label.textWithMnemonic = title
    // Radio buttons have names of their own.
    let stack = control as? StackView
    label.mnemonicTarget = stack?.axis == .vertical ? nil : stack?.subviews.first ?? control
    label.stackPlacement.minimumSize.width = 76
    if let name { keep(control, name) }
    control.isStretching = !(control is StackView)
    let row = StackView(.horizontal, [label, control])
    row.alignment = .firstBaseline
    return row
  }

  private func keep(_ control: View, _ name: String) {
    fields[name] = control
    (control as? Control)?.addAction(for: [.valueChanged, .editingChanged]) { [weak self] in self?.update() }
  }

  private func column(_ views: [View]) -> View { StackView(.vertical, spacing: 10, margin: 16, views) }
}
