/// The media types of files by the ends of their names.
package enum MediaType {
  /// What is not known.
  package static let unknown = "application/octet-stream"

  /// Those of the shared MIME database that programs of documents meet most.
  private static let byExtension = [
    "txt": "text/plain", "text": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
    "html": "text/html", "htm": "text/html", "css": "text/css", "xml": "application/xml", "json": "application/json",
    "yaml": "application/yaml", "yml": "application/yaml", "rtf": "application/rtf", "pdf": "application/pdf",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "tiff": "image/tiff", "tif": "image/tiff", "mp3": "audio/mpeg", "ogg": "audio/ogg",
    "flac": "audio/flac", "wav": "audio/x-wav", "mp4": "video/mp4", "webm": "video/webm", "zip": "application/zip",
    "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation", "ics": "text/calendar", "vcf": "text/vcard",
  ]

  /// The type of a file by its name.
  package static func of(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return byExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
  }
}
