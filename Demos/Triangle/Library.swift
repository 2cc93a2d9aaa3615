import Glibc

/// Why there is nothing to be seen, in a sentence.
struct Failure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// A library that is loaded at run time, and stays until the program ends: drivers do not like to be unloaded.
struct Library {
  private let handle: UnsafeMutableRawPointer
  private let name: String

  /// Loads a library; the package is the Debian package that contains it.
  init(_ name: String, package: String) throws(Failure) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure("\(name) is missing. Install libgl1-mesa-dri and \(package).")
    }
    self.handle = handle
    self.name = name
  }

  /// A function by its name; the type has to be that of its C declaration.
  func function<Function>(_ symbol: String) throws(Failure) -> Function {
    guard let address = dlsym(handle, symbol) else { throw Failure("\(name) has no \(symbol).") }
    return unsafeBitCast(address, to: Function.self)
  }
}
