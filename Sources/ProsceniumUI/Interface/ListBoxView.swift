import FoundationEssentials
import ProsceniumCore

/// The `GtkListBox` of interface files: a table with the rows that the file names, each as high as it wishes.
///
/// It sends `valueChanged` when the user selects or deselects a row, and `primaryActionTriggered` when the user opens
/// one: by a press, unless ``activatesOnClick`` is false, by a double click, or by Return.
final class ListBoxView: Control, TableViewDataSource, TableViewDelegate {
  private final class Row: TableViewCell {
    let content: View
    weak var list: ListBoxView?

    init(_ content: View) {
      self.content = content
      super.init()
      addSubview(content)
    }

    /// Invalidates the layout of the list too, because the height of the row depends on what is in it.
    override func setNeedsLayout() {
      let isNew = !layoutState.isNeeded
      super.setNeedsLayout()
      if isNew { list?.setNeedsLayout() }
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      content.frame = bounds
    }
  }

  /// The list that assistive programs know, with what the file says to them of the list box.
  let table = TableView()
  private var rows: [Row] = []

  override init() {
    super.init()
    isAccessibilityElement = false
    table.namingView = self
    table.dataSource = self
    table.delegate = self
    table.core.pointer.activatesOnClick = true
    // A value that has not changed is not sent.
    table.core.pointer.tellsOfSelected = false
    addSubview(table)
  }

  /// Whether one press opens a row, as of GTK.
  var activatesOnClick: Bool {
    get { table.core.pointer.activatesOnClick }
    set { table.core.pointer.activatesOnClick = newValue }
  }

  @discardableResult
  override func becomeFirstResponder() -> Bool { table.becomeFirstResponder() }

  /// Adds a row at the end.
  func add(_ view: View) {
    let row = Row(view)
    row.list = self
    rows.append(row)
    table.reloadData()
    setNeedsLayout()
  }

  /// Invalidates the layout of the superview too, because the size of the list depends on its rows.
  override func setNeedsLayout() {
    let isNew = !layoutState.isNeeded
    super.setNeedsLayout()
    if isNew { superview?.setNeedsLayout() }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    let sizes = rows.map { $0.content.sizeThatFits(size).sensible }
    return wished(
      over: Size(width: sizes.map(\.width).max() ?? 0, height: sizes.reduce(0) { $0 + max(1, $1.height) }))
  }

  override var intrinsicContentSize: Size { sizeThatFits(Size(width: 1 << 20, height: 1 << 20)) }

  override func layoutSubviews() {
    super.layoutSubviews()
    table.frame = bounds
    // What a row shows may have changed its wish.
    table.core.invalidateLayout()
  }

  // MARK: Rows

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell { rows[indexPath.row] }

  func tableView(_ tableView: TableView, heightForRowAt indexPath: IndexPath) -> Int {
    rows[indexPath.row].content.sizeThatFits(tableView.bounds.size).height
  }

  func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) { sendActions(for: .valueChanged) }

  func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath) {
    // Of another row instead only one is sent.
    if tableView.indexPathForSelectedRow == nil || tableView.allowsMultipleSelection {
      sendActions(for: .valueChanged)
    }
  }

  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) { primaryAction(nil) }
}
