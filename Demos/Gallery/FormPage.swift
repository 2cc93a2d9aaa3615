import FoundationEssentials
import Proscenium
import ProsceniumUI

/// Columns beside each other, or below each other where the window is narrow; scrolled where it is low.
final class FormPage: ScrollView {
  private let columns: StackView
  /// Where it is scrolled to when it is first laid out.
  var firstOffset: Int?

  init(_ columns: [View]) {
    self.columns = StackView(.horizontal, spacing: 0, columns)
    super.init()
    self.columns.distribution = .fillEqually
    addSubview(self.columns)
  }

  override func layoutSubviews() {
    let isWide = bounds.size.width >= 220 * columns.subviews.count
    let axis: StackView.Axis = isWide ? .horizontal : .vertical
    if columns.axis != axis {
      columns.axis = axis
      columns.distribution = isWide ? .fillEqually : .fill
    }
    let size = columns.sizeThatFits(Size(width: bounds.size.width, height: 1 << 16))
    columns.frame = Rect(x: 0, y: 0, width: bounds.size.width, height: size.height)
    contentSize = columns.frame.size
    if let offset = firstOffset.take() { contentOffset.y = offset }
    super.layoutSubviews()
  }
}

/// A text with the frame of a field.
final class FramedTextView: TextView {
  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.withState {
      context.clip(to: Path(bounds, cornerRadius: 5))
      super.draw(rect, in: context)
    }
    context.stroke(bounds, cornerRadius: 5, with: theme.separator)
    if isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 5, theme) }
  }
}

extension View {
  /// What the user has entered in the control, as a property-list value; setting nil empties it.
  var keptValue: (any Sendable)? {
    get {
      switch self {
      // Passwords do not belong into a file.
      case let field as TextField where field.isSecureTextEntry: nil
      case let field as TextField: ["text": field.text, "selection": field.restorationState] as [String: any Sendable]
      case let text as TextView: ["text": text.text, "selection": text.restorationState] as [String: any Sendable]
      case let picker as DatePicker: picker.date
      case let field as NumberField: field.value
      case let slider as Slider: slider.value
      case let stepper as Stepper: stepper.value
      case let button as Switch: button.isOn
      case let button as PopUpButton: button.selectedIndex
      case let well as ColorWell: well.selectedColor.map { Int($0.rgb) }
      case let segments as SegmentedControl: segments.selectedSegmentIndex
      default: nil
      }
    }
    set {
      let text = newValue as? [String: any Sendable] ?? [:]
      let (letters, selection) = (text["text"] as? String ?? "", text["selection"] as? [String: Int] ?? [:])
      let number = newValue as? Double ?? (newValue as? Int).map(Double.init)
      switch self {
      case let field as TextField:
        field.text = letters
        field.restorationState = selection
      case let view as TextView:
        view.text = letters
        view.restorationState = selection
      case let picker as DatePicker: if let date = newValue as? Date { picker.date = date }
      case let field as NumberField: field.value = number ?? field.minimumValue
      case let slider as Slider: slider.value = number ?? slider.minimumValue
      case let stepper as Stepper: stepper.value = number ?? stepper.minimumValue
      case let button as Switch: button.isOn = newValue as? Bool ?? false
      case let button as PopUpButton: button.selectedIndex = newValue as? Int ?? 0
      case let well as ColorWell:
        well.selectedColor = (newValue as? Int).map { Color(rgb: UInt32(truncatingIfNeeded: $0)) }
      case let segments as SegmentedControl: segments.selectedSegmentIndex = newValue as? Int ?? -1
      default: break
      }
    }
  }
}
