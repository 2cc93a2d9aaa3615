/// What fills a window instead of the program's own drawing: ProsceniumUI's views.
///
/// All are called on the main thread, never within one another.
@MainActor package protocol WindowContent: AnyObject {
  /// Who hears of an event first, of a key too; nil where it is the window. Called once for each event.
  func responder(for event: Event) -> Responder?

  /// Nobody in the chain wanted an event.
  func unhandled(_ event: Event)

  /// The window belongs to its scene no longer: the scene or the window is gone, or it goes to another one.
  func detached()

  /// The window, which had its contents already, belongs to a scene from now on, or to another one than before.
  func attached()

  /// Brings everything to its place, before a frame is drawn; what moves says what it damages.
  func layout(_ size: Size)

  /// Draws the parts of a frame.
  func draw(_ buffer: PixelBuffer, damage: [Rect])

  /// Draws a picture of the window within the body, which ends up in ``draw(_:damage:)``.
  ///
  /// Nothing that is kept changes. What views keep of their drawing is used as it is, or only where it is still right.
  func drawPicture(afterUpdates: Bool, _ body: () -> Void)

  /// The window can be seen from now on, or not any more: its scene came to the foreground or went to the background, or
  /// the window was shown or hidden.
  func visibilityChanged(isVisible: Bool)

  /// The program or the user hid the window, whether it could be seen or not.
  func hidden()

  /// The scene is on another screen, another way up or of another scale: everything is laid out once more.
  func surroundingsChanged()

  /// The orientations in which what fills the window can be shown.
  var supportedInterfaceOrientations: InterfaceOrientationMask { get }

  /// The user wants programs to look otherwise: ``Application/traitCollection``.
  func traitsChanged()

  /// The scene is interrupted: what is pressed is let go of unheard.
  func inputWithheld()

  /// A frame has been drawn; the first one after the window came into sight is the one that people see it with.
  func frameDrawn()

  /// Gives back what can be made again.
  func purge()

  /// How many bytes ``purge()`` would give back.
  var footprint: Int { get }

  /// Memory is short: whoever runs what fills the window hears of it.
  func didReceiveMemoryWarning()
}
