/// How a controller is shown that is presented.
public enum ModalPresentationStyle: Hashable, Sendable {
  /// A dialog of the scene, as large as the content wishes to be: ``ViewController/preferredContentSize``, else what
  /// fits the view, and not larger than the screen. The user does not resize it; it follows the content.
  case formSheet
  /// A dialog of the scene, nearly as large as the window below it, that the user may resize.
  case pageSheet
  /// In place of the content of the whole window.
  case fullScreen
}
