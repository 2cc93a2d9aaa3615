import ProsceniumPlatform

/// The parts of the machine in memory that a program hears of once it asks; they outlast processes.
@MainActor final class HeadlessParts {
  let power: HeadlessPower
  let work: HeadlessWork
  let noticeTimes: HeadlessWork
  let accessories: HeadlessAccessories
  let location: HeadlessLocation
  let accounts: HeadlessAccounts
  let handoff: HeadlessHandoff
  let sensors: HeadlessSensors
  let push: HeadlessPush
  let inputMethod: HeadlessInputMethodService
  let keys = HeadlessKeys()
  let mediaPlayer = HeadlessMediaPlayer()
  let notices = HeadlessNotices()
  let accessibility: HeadlessAccessibility
  let dialogs: HeadlessDialogService

  init(_ machine: HeadlessMachine) {
    power = HeadlessPower(machine)
    work = HeadlessWork(machine)
    noticeTimes = HeadlessWork(machine, timer: "notices", due: .noticesDue)
    accessories = HeadlessAccessories(machine)
    location = HeadlessLocation(machine)
    accounts = HeadlessAccounts(machine)
    handoff = HeadlessHandoff(machine)
    sensors = HeadlessSensors(machine)
    push = HeadlessPush(machine)
    inputMethod = HeadlessInputMethodService(machine)
    accessibility = HeadlessAccessibility(machine)
    dialogs = HeadlessDialogService(machine)
  }

  /// The process has ended: the next one has asked for nothing.
  func forgetProcess() {
    power.forgetProcess()
    work.forgetProcess()
    accessories.forgetProcess()
    location.forgetProcess()
    accounts.forgetProcess()
    handoff.forgetProcess()
    sensors.forgetProcess()
    push.forgetProcess()
    mediaPlayer.forgetProcess()
    accessibility.forgetProcess()
    inputMethod.forgetProcess()
    dialogs.forgetProcess()
  }
}

extension HeadlessMachine {
  var power: HeadlessPower { parts.power }
  var work: HeadlessWork { parts.work }
  var sensors: HeadlessSensors { parts.sensors }
  var keys: HeadlessKeys { parts.keys }
  var accessibility: HeadlessAccessibility { parts.accessibility }
}
