/// The program's file name, as it was started.
package enum ProgramName {
  /// The last part of the first argument; `program` where there is none.
  package static var own: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }
}
