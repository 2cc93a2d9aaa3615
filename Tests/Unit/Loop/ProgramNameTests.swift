import ProsceniumLoop
import Testing

@Suite("The program's name")
struct ProgramNameTests {
  @Test(
    "The name of a file is the last part of its path",
    arguments: [
      ("/usr/bin/editor", "editor"), ("editor", "editor"), ("./editor/", "editor"), ("a//", "a"), ("/ä/ö", "ö"),
      ("ä", "ä"),
      ("", nil), ("/", nil), ("//", nil),
    ] as [(String, String?)])
  func lastPart(_ path: String, _ part: String?) { #expect(ProgramName.last(of: path) == part) }
}
