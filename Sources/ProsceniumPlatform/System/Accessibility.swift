/// What an element of a window is, as an assistive program says it.
public enum AccessibilityRole: String, Hashable, Sendable, CaseIterable {
  /// A button.
  case button
  /// A button that opens a menu of choices.
  case popUpButton
  /// A box with a check mark.
  case checkBox
  /// A switch, which is on or off.
  case toggleButton
  /// One of several choices that exclude each other.
  case radioButton
  /// A text that opens something when it is pressed.
  case link
  /// A text that cannot be changed.
  case staticText
  /// The title of what follows.
  case heading
  /// A picture.
  case image
  /// A text of one line.
  case textField
  /// A text of one line whose characters are shown, and told, as dots.
  case secureTextField
  /// A text of several lines.
  case textView
  /// A bar on which a value is moved.
  case slider
  /// A number that is made larger and smaller by steps.
  case stepper
  /// How much of a task is done.
  case progressIndicator
  /// A date or a time.
  case dateField
  /// A list of items.
  case list
  /// An item of a list.
  case listItem
  /// Rows of cells.
  case table
  /// A cell of a table.
  case tableCell
  /// A row of tabs, one of which is selected.
  case tabList
  /// A tab, which shows its page.
  case tab
  /// A row of menus.
  case menuBar
  /// A menu.
  case menu
  /// An item of a menu.
  case menuItem
  /// An item of a menu with a check mark.
  case checkMenuItem
  /// A line between groups.
  case separator
  /// Something of which a part is shown at a time.
  case scrollArea
  /// Several elements that belong together.
  case group
  /// A window.
  case window
  /// A window that has to be answered before others.
  case dialog
}

/// The state of an element, as assistive programs know it.
public struct AccessibilityStates: OptionSet, Hashable, Sendable {
  /// The states as bits.
  public let rawValue: UInt32
  /// Makes states of bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It can be used.
  public static let enabled = AccessibilityStates(rawValue: 1 << 0)
  /// It can get keys.
  public static let focusable = AccessibilityStates(rawValue: 1 << 1)
  /// It gets the keys; taken back by the framework while its window does not.
  public static let focused = AccessibilityStates(rawValue: 1 << 2)
  /// It can be selected.
  public static let selectable = AccessibilityStates(rawValue: 1 << 3)
  /// It is selected.
  public static let selected = AccessibilityStates(rawValue: 1 << 4)
  /// It is on or off.
  public static let checkable = AccessibilityStates(rawValue: 1 << 5)
  /// It is on.
  public static let checked = AccessibilityStates(rawValue: 1 << 6)
  /// It is neither on nor off, or how much is done is not known.
  public static let indeterminate = AccessibilityStates(rawValue: 1 << 7)
  /// It opens and closes.
  public static let expandable = AccessibilityStates(rawValue: 1 << 8)
  /// It is open.
  public static let expanded = AccessibilityStates(rawValue: 1 << 9)
  /// Its text can be changed.
  public static let editable = AccessibilityStates(rawValue: 1 << 10)
  /// Its text has several lines.
  public static let multiLine = AccessibilityStates(rawValue: 1 << 11)
  /// Something is in progress.
  public static let busy = AccessibilityStates(rawValue: 1 << 12)
  /// It lies across.
  public static let horizontal = AccessibilityStates(rawValue: 1 << 13)
  /// It stands upright.
  public static let vertical = AccessibilityStates(rawValue: 1 << 14)
  /// Several of its items can be selected.
  public static let multiselectable = AccessibilityStates(rawValue: 1 << 15)
  /// A press opens a menu.
  public static let hasPopUp = AccessibilityStates(rawValue: 1 << 16)
  /// It has to be answered before others.
  public static let modal = AccessibilityStates(rawValue: 1 << 17)
  /// It can be seen; set by the framework for all elements of a window in the foreground.
  public static let showing = AccessibilityStates(rawValue: 1 << 18)
  /// It is the window that gets the keys; set by the framework.
  public static let active = AccessibilityStates(rawValue: 1 << 19)
}

/// A number that an element shows.
public struct AccessibilityRange: Hashable, Sendable {
  /// The number.
  public var value: Double
  /// The smallest number.
  public var minimum: Double
  /// The largest number.
  public var maximum: Double
  /// By how much it is moved at least; 0 where that is not known.
  public var step: Double

  /// Makes a number with its limits.
  /// - Parameters:
  ///   - value: The number.
  ///   - minimum: The smallest one.
  ///   - maximum: The largest one.
  ///   - step: By how much it is moved at least; 0 where that is not known.
  public init(value: Double, minimum: Double, maximum: Double, step: Double = 0) {
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
  }
}

/// What an assistive program knows of a table, of whose rows those in sight are elements.
public struct AccessibilityTable: Hashable, Sendable {
  /// The number of rows, of those out of sight too.
  public var rowCount: Int
  /// The number of columns.
  public var columnCount: Int
  /// The titles of the columns; none where empty.
  public var columnTitles: [String]
  /// The selected rows, those out of sight too.
  public var selectedRows: RangeSet<Int>

  /// Makes a table.
  /// - Parameters:
  ///   - rowCount: The number of rows, of those out of sight too.
  ///   - columnCount: The number of columns.
  ///   - columnTitles: The titles of the columns; none where empty.
  ///   - selectedRows: The selected rows, those out of sight too.
  public init(
    rowCount: Int, columnCount: Int = 1, columnTitles: [String] = [], selectedRows: RangeSet<Int> = RangeSet()
  ) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.columnTitles = columnTitles
    self.selectedRows = selectedRows
  }
}

/// A text in which an assistive program moves about.
///
/// Positions are numbers of Unicode scalars, as assistive programs count them.
public struct AccessibilityText: Hashable, Sendable {
  /// The text.
  public var string: String
  /// What is selected; empty for nothing.
  public var selection: Range<Int>
  /// Where the caret is.
  public var caret: Int
  /// Where lines begin that go on with the paragraph of the line before, in order; those out of sight may be left out.
  public var wrappedLines: [Int]

  /// Makes a text.
  /// - Parameters:
  ///   - string: The text.
  ///   - selection: What is selected; empty for nothing.
  ///   - caret: Where the caret is; at the end of the selection where nil.
  ///   - wrappedLines: Where lines begin that go on with the paragraph of the line before, in order.
  public init(_ string: String, selection: Range<Int> = 0..<0, caret: Int? = nil, wrappedLines: [Int] = []) {
    self.string = string
    self.selection = selection
    self.caret = caret ?? selection.upperBound
    self.wrappedLines = wrappedLines
  }
}

/// All that assistive programs know of an element but its place.
public struct AccessibilityProperties: Hashable, Sendable {
  /// What it is.
  public var role: AccessibilityRole
  /// Its name, in a few words.
  public var label = ""
  /// What it does, where the name does not say it.
  public var hint = ""
  /// Its value in words, where ``range``, ``text`` and ``states`` do not say it.
  public var value = ""
  /// What a program that tests the interface finds it by; not said to anybody.
  public var identifier = ""
  /// What is shown in place of an empty text.
  public var placeholder = ""
  /// Its state.
  public var states: AccessibilityStates = .enabled
  /// The number that it shows; nil for none.
  public var range: AccessibilityRange?
  /// The text in it; nil for none.
  public var text: AccessibilityText?
  /// The names of what can be done with it; that of the press is the first one.
  public var actions: [String] = []
  /// Its place among its like, from 0, and the number of these; nil where it stands for itself.
  public var position: Position?
  /// The rows and columns of a table, or of a list that is read as one; nil for anything else.
  public var table: AccessibilityTable?
  /// The place in the table that the element is in; nil for none.
  public var cell: Cell?

  /// The place of a cell in its table, which may have more rows than are in sight.
  public struct Cell: Hashable, Sendable {
    /// The row, from 0.
    public var row: Int
    /// The column, from 0.
    public var column: Int

    /// Makes a place.
    /// - Parameters:
    ///   - row: The row, from 0.
    ///   - column: The column, from 0.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// The place of an item in a list, which may have more items than are in sight.
  public struct Position: Hashable, Sendable {
    /// The place, from 0.
    public var index: Int
    /// The number of items.
    public var count: Int

    /// Makes a place.
    /// - Parameters:
    ///   - index: The place, from 0.
    ///   - count: The number of items.
    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  /// Describes an element.
  /// - Parameters:
  ///   - role: What it is.
  ///   - label: Its name.
  public init(role: AccessibilityRole, label: String = "") {
    self.role = role
    self.label = label
  }
}

/// What an assistive program asks of an element for its user.
public enum AccessibilityRequest: Hashable, Sendable {
  /// To do what a name of ``AccessibilityProperties/actions`` stands for; 0 is the press.
  case action(Int)
  /// To show another number.
  case setValue(Double)
  /// To replace a part of the text, by numbers of Unicode scalars.
  case replaceText(Range<Int>, with: String)
  /// To select a part of the text, by numbers of Unicode scalars; to move the caret where it is empty.
  case selectText(Range<Int>)
  /// To get the keys.
  case focus
  /// To be selected in its list, alone or besides others, or not to be selected any more.
  case setSelected(Bool)
  /// Of a table: to select a row, which may be out of sight, or not to have it selected any more.
  case setRowSelected(Int, Bool)
  /// To be scrolled into sight.
  case scrollToVisible
}
