import Glibc

/// The name that the tests of the library have for a whole desk.
package typealias PrivateDesktop = Desk

extension Desk {
  package var desk: Desk { self }

  /// Waits until the trace and the server agree about every connected scene, and stay so, and no rule is broken.
  ///
  /// As ``waitUntilSettled(_:quiet:_:also:)``. `interrupted`: another client holds the keyboard, and nothing can be
  /// more than inactive. Without a condition a scene has to be shown, and to have the focus where a window manager
  /// gives it: before, however long a busy machine takes for it, one that is hidden has the same state.
  @discardableResult
  package func settle(
    _ program: Program, quiet: Duration = .milliseconds(600), interrupted: Bool = false,
    _ what: String = "agreement", fileID: StaticString = #fileID, line: UInt = #line,
    also: ([WindowTruth]) -> Bool = { truths in
      truths.contains { $0.expectedState > ($0.windowManagerRuns ? .foregroundInactive : .background) }
    }
  ) async throws -> [TracedScene] {
    do {
      return try await agreement(
        program, quiet, interrupted: interrupted, what, fileID: fileID, line: line, also
      ) { lines in
        if let violation = lines.violations.first {
          throw DeskFailure("\(violation)", evidence: program.evidence, location: "\(fileID):\(line)")
        }
      }
    } catch {
      takePicture(of: program)
      throw error
    }
  }

  /// Keeps a picture of the screen for people, where `PROSCENIUM_TESTS_ARTIFACTS` names a folder.
  private func takePicture(of program: Program) {
    guard let folder = getenv("PROSCENIUM_TESTS_ARTIFACTS"), let picture = try? screenshot() else { return }
    let file = fopen("\(String(cString: folder))/screen-\(program.pid).png", "w")
    guard let file else { return }
    fwrite(picture, 1, picture.count, file)
    fclose(file)
  }
}
