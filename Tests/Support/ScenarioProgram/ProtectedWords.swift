import FoundationEssentials
import Glibc
import Proscenium

#if !WITHOUT_ProtectedFiles
  /// The words about protected files; the program keeps no copy of the text.
  ///
  /// `protected write FILE COUNT` writes a text of so many bytes, `protected read FILE` says how many bytes of that
  /// text it has, or why it has none.
  @MainActor enum ProtectedWords {
    private static var files: [String: ProtectedFile] = [:]

    static func perform(_ words: [Substring]) -> Bool {
      guard words.count >= 3 else { return false }
      let path = String(words[2])
      // The same handle, before a lock and after it.
      let file = files[path] ?? ProtectedFile(url: URL(filePath: path))
      files[path] = file
      switch (words[1], words.last.flatMap { Int($0) }) {
      case ("write", let count?): Task { await write(count, file) }
      case ("read", _): Task { await read(file) }
      default: return false
      }
      return true
    }

    /// A byte of the text, which is nowhere in the program before it is made.
    private static func byte(_ index: Int) -> UInt8 { UInt8(33 + (index &* 131 &+ (index >> 6) &* 17) % 90) }

    private static func text(_ count: Int) -> Data {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 16)
      for index in 0..<count { memory[index] = byte(index) }
      guard let start = memory.baseAddress else { return Data() }
      return Data(
        bytesNoCopy: start, count: count,
        deallocator: .custom { @Sendable start, count in
          // On whichever thread the last copy is released.
          explicit_bzero(start, count)
          start.deallocate()
        })
    }

    private static func write(_ count: Int, _ file: ProtectedFile) async {
      do throws(ProtectedFileError) {
        try await file.write(text(count))
        say("written \(count)")
      } catch {
        say(error.reason.rawValue)
      }
    }

    private static func read(_ file: ProtectedFile) async {
      do throws(ProtectedFileError) {
        let content = try await file.read()
        let isWhole = content.withUnsafeBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == byte($0) } }
        say(isWhole ? "read \(content.count)" : "other")
      } catch {
        say(error.reason.rawValue)
      }
    }

    private static func say(_ what: String) {
      print("protected \(what)")
      fflush(nil)
    }
  }
#endif
