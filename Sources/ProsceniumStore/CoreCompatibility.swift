@_exported public import ProsceniumJSON

// Names that ProsceniumCore uses until it is switched to the present ones. This file goes with the last of them.

package typealias PreferenceValue = JSONValue

extension JSONValue {
  package static func file(_ values: [String: JSONValue]) throws -> [UInt8] { try PreferencesFile.bytes(of: values) }
}

extension SessionStore {
  package func waitUntilWritten(milliseconds: Int) -> Bool { waitUntilWritten(for: .milliseconds(milliseconds)) }
}
