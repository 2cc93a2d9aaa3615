package import ProsceniumPlatform

/// The modes of the monitors in memory, as the program uses them.
package struct HeadlessModes {
  /// Whether the program wants to know them.
  package var areFollowed = false
  /// Why the next choices are refused; nil where they are not.
  package var refusal: ScreenModeError?
  /// What each monitor showed before the program's first choice, and that choice.
  var choices: [String: (mode: ScreenMode, before: ScreenMode)] = [:]
}

extension HeadlessWindowManager {
  /// The monitors as the program hears of them.
  var reported: [ScreenDescription] {
    guard !modes.areFollowed else { return screens }
    return screens.map { screen in
      var screen = screen
      screen.modes = nil
      return screen
    }
  }

  /// The program wants to know the modes.
  mutating func followModes() {
    guard !modes.areFollowed else { return }
    modes.areFollowed = true
    events.append(.screens(reported))
  }

  /// The program chooses a mode, or takes its choice back.
  mutating func set(_ mode: ScreenMode?, for name: String) {
    let screen = screens.first { $0.name == name }
    guard let mode else {
      if let choice = modes.choices.removeValue(forKey: name), screen?.modes?.current == choice.mode {
        show(choice.before, on: name)
      }
      return
    }
    var refusal = modes.refusal
    if screen?.modes?.available.contains(mode) != true { refusal = screen == nil ? .disconnected : .unavailable }
    if refusal == nil, let before = modes.choices[name]?.before ?? screen?.modes?.current {
      modes.choices[name] = (mode, before)
      show(mode, on: name)
    }
    events.append(.screenMode(refusal, screen: name))
  }

  private mutating func show(_ mode: ScreenMode, on name: String) {
    var changed = screens
    for index in changed.indices where changed[index].name == name {
      changed[index].frame.size = mode.size
      changed[index].visibleFrame = changed[index].frame
      changed[index].modes?.current = mode
    }
    change(screens: changed)
  }
}
