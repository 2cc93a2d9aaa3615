import ProsceniumCore

/// A class of GtkBuilder's: the view that stands for it, and what files may say of it.
@MainActor struct InterfaceWidget {
  /// What is done with the children of an element.
  enum Children {
    case none
    /// Any number, in a row or a column.
    case stack
    /// Any number, in rows and columns.
    case grid
    /// Any number, one below the other.
    case rows(@MainActor (_ container: View, _ child: View) -> Void)
    /// One.
    case single(@MainActor (_ container: View, _ child: View) -> Void)
  }

  /// The class in files.
  let name: String
  let make: @MainActor () -> View
  /// Whether a view of the program's own class has these properties.
  let accepts: @MainActor (View) -> Bool
  let properties: [String: InterfaceProperty]
  let attributes: [String: InterfaceProperty]
  let styles: [String: @MainActor (View) -> Void]
  let signals: [String: ControlEvents]
  let children: Children

  init<Made: View>(
    _ name: String, _ make: @escaping @MainActor () -> Made, _ properties: [String: InterfaceProperty] = [:],
    attributes: [String: InterfaceProperty] = [:], styles: [String: @MainActor (Made) -> Void] = [:],
    signals: [String: ControlEvents] = [:], children: Children = .none
  ) {
    self.name = name
    self.make = make
    accepts = { $0 is Made }
    self.properties = properties
    self.attributes = attributes
    self.styles = styles.mapValues { style in { view in if let view = view as? Made { style(view) } } }
    self.signals = signals
    self.children = children
  }

  /// The widget of a name in files; nil where there is no view for it.
  static func named(_ name: String) -> InterfaceWidget? { all.first { $0.name == name } }

  /// The widget whose properties a view of the program's own class has.
  static func of(_ view: View) -> InterfaceWidget { all.first { $0.accepts(view) } ?? plain }

  /// Every widget that has a view; those of a view's subclass come before those of the view.
  static let all: [InterfaceWidget] = [
    InterfaceWidget("GtkLabel", centeredLabel, label, attributes: labelAttributes),
    InterfaceWidget(
      "GtkButton", Button.init, ["label": .text { (button: Button, text) in button.title = text }],
      styles: [
        "suggested-action": { $0.style = .filled }, "destructive-action": { $0.style = .destructive },
      ], signals: ["clicked": .primaryActionTriggered]),
    InterfaceWidget(
      Self.menuButton, pullDown,
      [
        "label": .text { (button: Button, text) in button.title = text },
        "always-show-arrow": .flag { (_: Button, _) in }, "direction": .text { (_: Button, _) in },
        "use-popover": .flag { (_: Button, _) in },
      ]),
    InterfaceWidget("GtkColorButton", ColorWell.init, colorWell, signals: colorSignals),
    InterfaceWidget("GtkColorDialogButton", ColorWell.init, colorWell, signals: colorSignals),
    // Before the other switch, because it has the properties of both.
    InterfaceWidget(
      "GtkCheckButton", checkBox, checkButton,
      signals: [
        "toggled": .valueChanged, "notify::active": .valueChanged, "clicked": .primaryActionTriggered,
      ]),
    InterfaceWidget(
      "GtkRadioButton", radioButton, checkButton,
      signals: ["toggled": .valueChanged, "notify::active": .valueChanged, "clicked": .primaryActionTriggered]),
    InterfaceWidget(
      "GtkSwitch", Switch.init,
      [
        "active": .flag { (view: Switch, isOn) in view.isOn = isOn },
        "state": .flag { (_: Switch, _) in },
      ], signals: ["state-set": .valueChanged, "notify::active": .valueChanged]),
    InterfaceWidget(
      "GtkLinkButton", Link.init,
      [
        "label": .text { (link: Link, title) in link.title = title },
        "uri": .url { (link: Link, url) in link.url = url },
        "visited": .flag { (_: Link, _) in },
      ], signals: ["clicked": .primaryActionTriggered, "activate-link": .primaryActionTriggered]),
    InterfaceWidget("GtkProgressBar", ProgressView.init, progress),
    InterfaceWidget(
      "GtkSpinner", ActivityIndicator.init,
      [
        // Of GTK 4, and of GTK 3.
        "spinning": .flag(animate), "active": .flag(animate),
      ]),
    InterfaceWidget(
      "GtkCalendar", DatePicker.init, calendar,
      signals: [
        "day-selected": .valueChanged, "month-changed": .valueChanged, "notify::date": .valueChanged,
        "day-selected-double-click": .primaryActionTriggered,
      ]),
    InterfaceWidget("GtkScale", Slider.init, scale, signals: ["value-changed": .valueChanged]),
    InterfaceWidget("GtkSpinButton", NumberField.init, spinButton, signals: ["value-changed": .valueChanged]),
    InterfaceWidget(
      "GtkComboBoxText", PopUpButton.init,
      [
        "active": .whole(-1...lengths, select)
      ], signals: ["changed": .valueChanged, "notify::active": .valueChanged]),
    InterfaceWidget(
      "GtkDropDown", PopUpButton.init,
      [
        "selected": .whole(0...Int(UInt32.max), select), "show-arrow": .flag { (_: PopUpButton, _) in },
        "enable-search": .flag { (_: PopUpButton, _) in },
      ], signals: ["notify::selected": .valueChanged, "notify::selected-item": .valueChanged]),
    // Of GTK 3, and of GTK 4.
    InterfaceWidget("GtkMenuBar", { MenuBar() }),
    InterfaceWidget("GtkPopoverMenuBar", { MenuBar() }),
    InterfaceWidget("GtkImage", ImageView.init, ["pixel-size": .whole { (_: ImageView, _) in }]),
    InterfaceWidget(
      "GtkPicture", ImageView.init,
      [
        "content-fit": .choice([
          "contain": ImageView.ContentMode.scaleAspectFit, "cover": .scaleAspectFill, "fill": .scaleToFill,
          "scale-down": .scaleAspectFit,
        ]) { (view: ImageView, mode) in view.contentMode = mode }
      ]),
    InterfaceWidget("GtkTextView", TextView.init, text),
    InterfaceWidget("GtkEntry", TextField.init, entry, signals: entrySignals),
    InterfaceWidget("GtkPasswordEntry", passwordEntry, entry, signals: entrySignals),
    InterfaceWidget(
      "GtkSearchEntry", searchEntry, entry,
      signals: entrySignals.merging(["search-changed": .editingChanged]) { $1 }),
    InterfaceWidget(
      "GtkListBox", ListBoxView.init, listBox,
      signals: [
        "row-selected": .valueChanged, "selected-rows-changed": .valueChanged, "row-activated": .primaryActionTriggered,
      ], children: .rows { list, row in (list as? ListBoxView)?.add(row) }),
    InterfaceWidget("GtkScrolledWindow", ContentScrollView.init, scrolling, children: .single(setContent)),
    InterfaceWidget("GtkSeparator", SeparatorView.init, ["orientation": .choice(axes) { (_: SeparatorView, _) in }]),
    InterfaceWidget("GtkBox", box, boxProperties, children: .stack),
    InterfaceWidget("GtkGrid", GridView.init, gridProperties, children: .grid),
    InterfaceWidget(
      "GtkListBoxRow", box,
      ["activatable": .flag { (_: StackView, _) in }, "selectable": .flag { (_: StackView, _) in }],
      children: .single { row, child in
        row.addSubview(child)
        child.isStretching = true
      }),
    InterfaceWidget(
      "GtkViewport", box, ["shadow-type": .text { (_: StackView, _) in }],
      children: .single { viewport, child in
        viewport.addSubview(child)
        child.isStretching = true
      }),
    plain,
  ]

  /// The button with a menu, whose class here is that of other buttons.
  static let menuButton = "GtkMenuButton"

  /// Any other view.
  private static let plain = InterfaceWidget(
    "GtkWidget", View.init, signals: ["clicked": .primaryActionTriggered])

  /// The properties that every widget has.
  static let common: [String: InterfaceProperty] = [
    "visible": .flag { (view: View, isVisible) in view.isHidden = !isVisible },
    "sensitive": .flag { (view: View, isSensitive) in
      if let control = view as? Control {
        control.isEnabled = isSensitive
      } else {
        view.isUserInteractionEnabled = isSensitive
      }
    },
    "opacity": .number(0...1) { (view: View, opacity) in view.alpha = opacity },
    "width-request": .whole(-1...lengths) { (view: View, width) in
      view.stackPlacement.minimumSize.width = max(0, width)
    },
    "height-request": .whole(-1...lengths) { (view: View, height) in
      view.stackPlacement.minimumSize.height = max(0, height)
    },
    "margin": .whole { (view: View, room) in
      view.stackPlacement.margins = .init(left: room, top: room, right: room, bottom: room)
    },
    "margin-left": .whole { (view: View, room) in view.stackPlacement.margins.left = room },
    "margin-start": .whole { (view: View, room) in view.stackPlacement.margins.left = room },
    "margin-right": .whole { (view: View, room) in view.stackPlacement.margins.right = room },
    "margin-end": .whole { (view: View, room) in view.stackPlacement.margins.right = room },
    "margin-top": .whole { (view: View, room) in view.stackPlacement.margins.top = room },
    "margin-bottom": .whole { (view: View, room) in view.stackPlacement.margins.bottom = room },
    "halign": .choice(alignments) { (view: View, alignment) in view.stackPlacement.horizontal = alignment },
    "tooltip-text": .text { (view: View, text) in view.toolTip = text },
    "valign": .choice(alignments) { (view: View, alignment) in view.stackPlacement.vertical = alignment },
  ]

  /// Properties that have no meaning for these views, or the one that they have anyway.
  static let ignored: Set<String> = [
    "accessible-role", "app-paintable", "can-default", "can-focus", "can-target", "css-name", "cursor",
    "double-buffered", "events", "focus-on-click", "focusable", "has-default", "has-focus", "has-tooltip",
    "hexpand-set", "is-focus", "name", "no-show-all", "overflow", "receives-default", "relief", "tooltip-markup",
    "use-underline", "vexpand-set",
  ]

  /// Objects without a view, which need nothing: what refers to them has no effect either.
  static let withoutView: Set<String> = [
    "GtkAccelGroup", "GtkAdjustment", "GtkColorDialog", "GtkEntryBuffer", "GtkEntryCompletion", "GtkFileFilter",
    "GtkIconFactory", "GtkListStore", "GtkMenu", "GtkRecentFilter", "GtkRecentManager", "GtkSizeGroup", "GtkStringList",
    "GtkTextBuffer", "GtkTextTag", "GtkTextTagTable", "GtkTreeModelFilter", "GtkTreeModelSort", "GtkTreeStore",
    "GtkWindowGroup",
  ]

  /// The windows, whose child is the interface.
  static let windows: Set<String> = ["GtkApplicationWindow", "GtkWindow"]

  private static let lengths = InterfaceProperty.lengths
  private static let alignments: KeyValuePairs<String, StackView.Alignment?> = [
    "fill": nil, "start": .leading, "center": .center, "end": .trailing, "baseline": .firstBaseline,
    "baseline-fill": .firstBaseline, "baseline-center": .firstBaseline,
  ]
  private static let axes: KeyValuePairs<String, StackView.Axis> = ["horizontal": .horizontal, "vertical": .vertical]
}

/// The properties of single widgets.
extension InterfaceWidget {
  /// GTK centres the lines of a label in it.
  private static func centeredLabel() -> Label {
    let label = Label()
    label.alignment = .center
    setWrapping(of: label, false)
    return label
  }

  /// The line endings of a text stay, whether it is wrapped or not.
  private static func setWrapping(of label: Label, _ wraps: Bool) {
    label.numberOfLines = 0
    label.caption.layout.wrapping = wraps ? .word : .none
  }

  private static let label: [String: InterfaceProperty] = [
    "label": .text { (label: Label, text) in label.text = text },
    "wrap": .flag { (label: Label, wraps) in setWrapping(of: label, wraps) },
    "lines": .whole(-1...lengths) { (label: Label, lines) in if lines > 0 { label.numberOfLines = lines } },
    "xalign": .number(0...1) { (label: Label, place) in
      label.alignment = place < 0.25 ? .natural : place > 0.75 ? .right : .center
    },
    "justify": .choice(["left": TextAlignment.left, "right": .right, "center": .center, "fill": .natural]) {
      (label: Label, alignment) in label.alignment = alignment
    },
    "ellipsize": .text { (_: Label, _) in },
    "yalign": .number(0...1) { (_: Label, _) in },
    "wrap-mode": .text { (_: Label, _) in },
  ]

  private static let labelAttributes: [String: InterfaceProperty] = [
    "weight": .weight { (label: Label, weight) in label.font.weight = weight },
    "style": .choice(["normal": false, "italic": true, "oblique": true]) { (label: Label, isItalic) in
      label.font.isItalic = isItalic
    },
    "scale": .number(0.1...20) { (label: Label, scale) in label.font.size *= scale },
    // In thousandths of a point.
    "size": .number(1000...500_000) { (label: Label, size) in label.font.size = size / 1024 },
  ]

  private static let text: [String: InterfaceProperty] = [
    "editable": .flag { (view: TextView, isEditable) in view.isEditable = isEditable },
    "monospace": .flag { (view: TextView, isMonospace) in if isMonospace { view.font = .monospaced } },
    "left-margin": .whole { (view: TextView, room) in view.textInset.width = room },
    "top-margin": .whole { (view: TextView, room) in view.textInset.height = room },
    "right-margin": .whole { (_: TextView, _) in },
    "bottom-margin": .whole { (_: TextView, _) in },
    "wrap-mode": .text { (_: TextView, _) in },
  ]

  private static func checkBox() -> Switch {
    let view = Switch()
    view.style = .checkbox
    return view
  }

  private static func radioButton() -> Switch {
    let view = Switch()
    view.style = .radio
    return view
  }

  private static let checkButton: [String: InterfaceProperty] = [
    "active": .flag { (view: Switch, isOn) in view.isOn = isOn },
    "label": .text { (view: Switch, text) in view.title = text },
    "inconsistent": .flag { (view: Switch, isMixed) in view.isIndeterminate = isMixed },
    "draw-indicator": .text { (_: Switch, _) in },
    "xalign": .number(0...1) { (_: Switch, _) in },
  ]

  private static func pullDown() -> Button {
    let button = Button()
    button.showsMenuAsPrimaryAction = true
    return button
  }

  private static let colorWell: [String: InterfaceProperty] = [
    "rgba": .color { (well: ColorWell, color) in well.selectedColor = color },
    "title": .text { (well: ColorWell, title) in well.title = title },
    "dialog": .text { (_: ColorWell, _) in },
    "show-editor": .flag { (_: ColorWell, _) in },
    "use-alpha": .flag { (_: ColorWell, _) in },
  ]

  private static let colorSignals: [String: ControlEvents] = [
    "color-set": .valueChanged, "notify::rgba": .valueChanged,
  ]

  /// The date is set by the builder, from all of its parts.
  private static let calendar: [String: InterfaceProperty] = [
    "show-heading": .flag { (_: DatePicker, _) in },
    "show-day-names": .flag { (_: DatePicker, _) in },
    "show-week-numbers": .flag { (_: DatePicker, _) in },
    "show-details": .flag { (_: DatePicker, _) in },
    "no-month-change": .flag { (_: DatePicker, _) in },
    "detail-width-chars": .text { (_: DatePicker, _) in },
    "detail-height-rows": .text { (_: DatePicker, _) in },
  ]

  private static let progress: [String: InterfaceProperty] = [
    "fraction": .number(0...1) { (view: ProgressView, fraction) in view.progress = fraction },
    "pulse-step": .number(0...1) { (_: ProgressView, _) in },
    "show-text": .flag { (_: ProgressView, _) in },
    "text": .text { (_: ProgressView, _) in },
    "ellipsize": .text { (_: ProgressView, _) in },
  ]

  private static func animate(_ view: ActivityIndicator, _ isSpinning: Bool) {
    if isSpinning { view.startAnimating() } else { view.stopAnimating() }
  }

  /// No choice has GTK's numbers for none (-1, and GTK_INVALID_LIST_POSITION).
  private static func select(_ button: PopUpButton, _ index: Int) { button.selectedIndex = index }

  /// The limits and the value are those of the adjustment.
  private static let scale: [String: InterfaceProperty] = [
    "orientation": .choice(axes) { (view: Slider, axis) in view.axis = axis },
    "inverted": .flag { (_: Slider, _) in },
    "digits": .text { (_: Slider, _) in },
    "draw-value": .flag { (_: Slider, _) in },
    "round-digits": .text { (_: Slider, _) in },
    "value-pos": .text { (_: Slider, _) in },
  ]

  private static let spinButton: [String: InterfaceProperty] = [
    "value": .number(-1e300...1e300) { (view: NumberField, value) in view.value = value },
    "digits": .whole(0...20) { (view: NumberField, digits) in view.fractionDigits = digits },
    "wrap": .flag { (view: NumberField, wraps) in view.wraps = wraps },
    "climb-rate": .text { (_: NumberField, _) in },
    "numeric": .flag { (_: NumberField, _) in },
    "snap-to-ticks": .flag { (_: NumberField, _) in },
    "update-policy": .text { (_: NumberField, _) in },
    "width-chars": .text { (_: NumberField, _) in },
    "max-width-chars": .text { (_: NumberField, _) in },
    "xalign": .number(0...1) { (_: NumberField, _) in },
  ]

  private static let entry: [String: InterfaceProperty] = [
    "text": .text { (field: TextField, text) in field.text = text },
    "placeholder-text": .text { (field: TextField, text) in field.placeholder = text },
    "visibility": .flag { (field: TextField, isVisible) in field.isSecureTextEntry = !isVisible },
    // GTK has no limit where it is 0.
    "max-length": .whole(0...65535) { (field: TextField, most) in if most > 0 { field.maximumLength = most } },
    "has-frame": .flag { (_: TextField, _) in },
    "width-chars": .text { (_: TextField, _) in },
    "max-width-chars": .text { (_: TextField, _) in },
    "xalign": .number(0...1) { (_: TextField, _) in },
    "invisible-char": .text { (_: TextField, _) in },
    "search-delay": .text { (_: TextField, _) in },
  ]

  private static let entrySignals: [String: ControlEvents] = [
    "changed": .editingChanged, "notify::text": .editingChanged, "activate": .editingDidEndOnExit,
  ]

  private static func passwordEntry() -> TextField {
    let field = TextField()
    field.isSecureTextEntry = true
    return field
  }

  private static func searchEntry() -> TextField {
    let field = TextField()
    field.clearButtonMode = .always
    return field
  }

  private static let scrolling: [String: InterfaceProperty] = [
    "min-content-width": .whole(-1...lengths) { (view: ScrollView, width) in
      view.stackPlacement.minimumSize.width = max(0, width)
    },
    "min-content-height": .whole(-1...lengths) { (view: ScrollView, height) in
      view.stackPlacement.minimumSize.height = max(0, height)
    },
    "shadow-type": .text { (_: ScrollView, _) in },
    "hscrollbar-policy": .text { (_: ScrollView, _) in },
    "vscrollbar-policy": .text { (_: ScrollView, _) in },
  ]

  /// How many rows of a list the user may select; GTK's browsing is a single one.
  private static let selections: KeyValuePairs<String, (allows: Bool, several: Bool)> = [
    "none": (false, false), "single": (true, false), "browse": (true, false), "multiple": (true, true),
  ]

  private static let listBox: [String: InterfaceProperty] = [
    "selection-mode": .choice(selections) { (view: ListBoxView, mode) in
      view.table.allowsSelection = mode.allows
      view.table.allowsMultipleSelection = mode.several
    },
    "activate-on-single-click": .flag { (view: ListBoxView, isOn) in view.activatesOnClick = isOn },
    "show-separators": .flag { (_: ListBoxView, _) in },
  ]

  private static func box() -> StackView { StackView(.horizontal, spacing: 0) }

  private static let boxProperties: [String: InterfaceProperty] = [
    "orientation": .choice(axes) { (box: StackView, axis) in box.axis = axis },
    "spacing": .whole { (box: StackView, spacing) in box.spacing = spacing },
    "homogeneous": .flag { (box: StackView, isEqual) in box.distribution = isEqual ? .fillEqually : .fill },
    "border-width": .whole { (box: StackView, width) in box.margin = width },
    "baseline-position": .text { (_: StackView, _) in },
  ]

  private static let gridProperties: [String: InterfaceProperty] = [
    "column-spacing": .whole { (grid: GridView, spacing) in grid.columns.spacing = spacing },
    "row-spacing": .whole { (grid: GridView, spacing) in grid.rows.spacing = spacing },
    "column-homogeneous": .flag { (grid: GridView, areEqual) in grid.columns.areEqual = areEqual },
    "row-homogeneous": .flag { (grid: GridView, areEqual) in grid.rows.areEqual = areEqual },
  ]

  private static func setContent(of scroll: View, _ child: View) { (scroll as? ContentScrollView)?.content = child }
}

/// A scroll view with one view in it, which is as wide as the view and as high as it wishes.
final class ContentScrollView: ScrollView {
  override init() {
    super.init()
    isStretching = false
  }

  var content: View? {
    didSet {
      oldValue?.removeFromSuperview()
      if let content { addSubview(content) }
    }
  }

  override func layoutSubviews() {
    if let content {
      // A view that scrolls by itself is as large as this one.
      let scrolls = content is TextView || content is ScrollView || content is ListBoxView
      let wish = scrolls ? bounds.size : content.sizeThatFits(bounds.size)
      let size = Size(width: max(wish.width, bounds.size.width), height: max(wish.height, bounds.size.height))
      content.frame = Rect(.zero, size)
      contentSize = size
    }
    super.layoutSubviews()
  }
}

/// A line between other views: across a column, or down a row.
final class SeparatorView: View {
  override var intrinsicContentSize: Size { Size(width: 1, height: 1) }

  override func draw(_ rect: Rect, in context: DrawingContext) { context.fill(bounds, with: theme.separator) }
}
