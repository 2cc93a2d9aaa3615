// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// A generic type's metadata is made with the conformances that the compiler knows. By default it is made from the
/// type's name, for which the run time looks through all conformances of the program: 160,000 instructions for each key
/// of a dictionary, 4 million of a launch (Tests/Benchmarks/instructions).
///
/// An option of the compiler's own, which a later version need not have: what it does there has to be measured first.
#if compiler(<6.4)
  let fastMetadata: [SwiftSetting] = [
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release))
  ]
#else
  let fastMetadata: [SwiftSetting] = []
#endif

/// Accesses to properties of classes are checked for overlaps in debug builds, in which all tests run, and not in
/// release builds: there the checks are an eighth of a change of the focus (Tests/Benchmarks/instructions).
let fastAccess: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

// One package to build with: Swift and libxcb1-dev, nothing else. See docs/Architecture.md, section 2, for the
// directions in which targets may depend on each other.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ] + fastMetadata + fastAccess

/// Whether pkg-config knows all of some libraries: each has a `.pc` file in one of the folders that it searches.
///
/// SwiftPM caches the result of a manifest by the text of the manifest, the environment and its own version. A manifest
/// cannot add a file to that key, nor refuse to be cached; running pkg-config here would be cached in the same way.
func isInstalled(_ libraries: String...) -> Bool {
  let environment = ProcessInfo.processInfo.environment
  func list(_ name: String) -> [String]? { environment[name]?.split(separator: ":").map(String.init) }
  let machines = ["x86_64", "aarch64", "riscv64"].map { "/usr/lib/" + $0 + "-linux-gnu/pkgconfig" }
  let usual: [String] =
    machines + ["/usr/lib/pkgconfig", "/usr/lib64/pkgconfig", "/usr/share/pkgconfig", "/usr/local/lib/pkgconfig"]
  let folders: [String] = (list("PKG_CONFIG_PATH") ?? []) + (list("PKG_CONFIG_LIBDIR") ?? usual)
  return libraries.allSatisfy { library in
    folders.contains { FileManager.default.fileExists(atPath: $0 + "/" + library + ".pc") }
  }
}

let hasCairo = isInstalled("cairo", "pangocairo")
if !hasCairo {
  FileHandle.standardError.write(
    Data(
      ("Proscenium: cairo and pangocairo are not installed (libpango1.0-dev), so ProsceniumUI is left out. After "
        + "installing them, run `swift package purge-cache` once, because SwiftPM caches this result.\n").utf8))
}

/// The framework and what it is made of.
let framework: [Target.Dependency] = [
  "SceneLifecycle", "ProsceniumJSON", "ProsceniumTrace", "ProsceniumLoop", "ProsceniumPlatform", "ProsceniumStore",
  "ProsceniumCore",
]

/// Views, and the folders of tests that need them.
let views: [Target.Dependency] = hasCairo ? ["ProsceniumUI"] : []
let viewTests = hasCairo ? [] : ["UI"]

let package = Package(
  name: "Proscenium",
  products: [
    .library(name: "Proscenium", targets: ["Proscenium"]),
    .library(name: "ProsceniumTesting", targets: ["ProsceniumTesting"]),
    .library(name: "ProsceniumFoundation", targets: ["ProsceniumFoundation"]),
    .library(name: "ProsceniumGLib", targets: ["ProsceniumGLib"]),
    // Bindings/install makes libproscenium.so of it.
    .library(name: "ProsceniumC", type: .static, targets: ["ProsceniumC"]),
    .executable(name: "proscenium-check", targets: ["ProsceniumCheck"]),
    .library(name: "SceneObserver", targets: ["SceneObserver"]),
    .executable(name: "proscenium-watch", targets: ["ProsceniumWatch"]),
    .library(name: "ProsceniumDesk", targets: ["ProsceniumDesk"]),
    .library(name: "ProsceniumDeskTrait", targets: ["ProsceniumDeskTrait"]),
  ],
  targets: [
    .systemLibrary(name: "CXCB", providers: [.apt(["libxcb1-dev"])]),
    .systemLibrary(name: "CSystem"),
    .target(name: "SceneLifecycle", swiftSettings: settings),
    .target(name: "ProsceniumJSON", swiftSettings: settings),
    .target(
      name: "ProsceniumTrace", dependencies: ["SceneLifecycle", "ProsceniumJSON", "ProsceniumLoop"],
      swiftSettings: settings),
    .target(name: "ProsceniumLoop", dependencies: ["CSystem"], swiftSettings: settings),
    .target(
      name: "ProsceniumPlatform", dependencies: ["SceneLifecycle", "ProsceniumJSON", "ProsceniumLoop"],
      swiftSettings: settings),
    .target(
      name: "ProsceniumStore", dependencies: ["CSystem", "ProsceniumJSON", "ProsceniumPlatform", "ProsceniumLoop"],
      swiftSettings: settings),
    .target(
      name: "ProsceniumCore",
      dependencies: [
        "SceneLifecycle", "ProsceniumJSON", "ProsceniumTrace", "ProsceniumLoop", "ProsceniumPlatform",
        "ProsceniumStore", "CSystem",
      ], swiftSettings: settings),
    .target(
      name: "ProsceniumX11",
      dependencies: ["SceneLifecycle", "ProsceniumLoop", "ProsceniumPlatform", "CXCB", "CSystem"],
      swiftSettings: settings),
    // The states of windows of others: the law and the model of windows, without the framework.
    .target(
      name: "SceneObserver",
      dependencies: ["SceneLifecycle", "ProsceniumLoop", "ProsceniumPlatform", "ProsceniumX11", "CXCB", "CSystem"],
      swiftSettings: settings),
    .executableTarget(name: "ProsceniumWatch", dependencies: ["SceneObserver", "CXCB"], swiftSettings: settings),
    .target(
      name: "ProsceniumDesktop", dependencies: ["ProsceniumLoop", "ProsceniumPlatform", "CSystem"],
      swiftSettings: settings),
    .target(
      name: "ProsceniumTesting",
      dependencies: framework, swiftSettings: settings),
    .executableTarget(name: "ProsceniumCheck", dependencies: ["ProsceniumTesting"], swiftSettings: settings),
    .target(name: "ProsceniumDesk", dependencies: ["CXCB", "CSystem"], swiftSettings: settings),
    .target(name: "ProsceniumDeskTrait", dependencies: ["ProsceniumDesk"], swiftSettings: settings),
    .target(
      name: "Proscenium",
      dependencies: framework + ["ProsceniumX11", "ProsceniumDesktop"],
      swiftSettings: settings),
    // The loops of other libraries. Full Foundation is in none but the first.
    .target(name: "ProsceniumFoundation", dependencies: ["ProsceniumLoop"], swiftSettings: settings),
    .target(name: "ProsceniumGLib", dependencies: ["ProsceniumLoop", "CSystem"], swiftSettings: settings),
    // The interface for programs in C: proscenium.h, and its functions.
    .systemLibrary(name: "CProscenium"),
    .target(
      name: "ProsceniumC",
      dependencies: [
        "CProscenium", "Proscenium", "ProsceniumCore", "ProsceniumJSON", "ProsceniumLoop", "ProsceniumPlatform",
        "CSystem",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "SceneLab", dependencies: ["Proscenium"] + (hasCairo ? ["ProsceniumUI"] : []), path: "Demos/SceneLab",
      swiftSettings: settings),
    .executableTarget(name: "Pong", dependencies: ["Proscenium"], path: "Demos/Pong", swiftSettings: settings),
    .executableTarget(name: "Meter", dependencies: ["Proscenium"], path: "Demos/Meter", swiftSettings: settings),
    .executableTarget(
      name: "Beacon", dependencies: ["Proscenium"] + (hasCairo ? ["ProsceniumUI"] : []), path: "Demos/Beacon",
      resources: [.copy("Welcome.txt")], swiftSettings: settings),
    .executableTarget(name: "Triangle", dependencies: ["Proscenium"], path: "Demos/Triangle", swiftSettings: settings),
    .executableTarget(
      name: "GLFWClock", dependencies: ["Proscenium"], path: "Demos/Guests/GLFWClock", swiftSettings: settings),
    .executableTarget(
      name: "ScenePeer", dependencies: ["Proscenium", "CXCB"], path: "Tests/Benchmarks/ScenePeer",
      swiftSettings: settings),
    .executableTarget(
      name: "PixelPeer", dependencies: ["Proscenium"], path: "Tests/Benchmarks/PixelPeer", swiftSettings: settings),
    .executableTarget(
      name: "StorePeer", dependencies: framework, path: "Tests/Benchmarks/StorePeer",
      swiftSettings: settings),
    .executableTarget(
      name: "ObserverPeer", dependencies: ["SceneObserver"], path: "Tests/Benchmarks/ObserverPeer",
      swiftSettings: settings),
    .executableTarget(
      name: "KitPeer", dependencies: framework + ["ProsceniumTesting"], path: "Tests/Benchmarks/KitPeer",
      swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: settings),
    .target(name: "ScenarioKit", dependencies: framework, path: "Tests/Support/ScenarioKit", swiftSettings: settings),
    .executableTarget(
      name: "ScenarioProgram",
      dependencies: ["Proscenium", "ProsceniumGLib", "ProsceniumStore", "ScenarioKit", "TestSupport"],
      path: "Tests/Support/ScenarioProgram", swiftSettings: settings),
    .executableTarget(
      name: "FoundationProgram", dependencies: ["Proscenium", "ProsceniumFoundation"],
      path: "Tests/Support/FoundationProgram",
      swiftSettings: settings),
    .executableTarget(
      name: "GuestProgram", dependencies: ["Proscenium", "ProsceniumGLib"], path: "Tests/Support/GuestProgram",
      swiftSettings: settings),
    .executableTarget(
      name: "TestSessionManager", path: "Tests/Support/TestSessionManager", swiftSettings: settings),
    .target(
      name: "DeskSupport", dependencies: ["ProsceniumDesk", "ProsceniumTesting", "CSystem", "CXCB"],
      path: "Tests/Support/DeskSupport", swiftSettings: settings),
    .target(
      name: "SourceSupport", dependencies: framework, path: "Tests/Support/SourceSupport", swiftSettings: settings),
    .target(
      name: "SuiteSupport", dependencies: ["DeskSupport", "ProsceniumLoop"], path: "Tests/Support/SuiteSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "Matrix", dependencies: ["DeskSupport"], path: "Tests/Support/Matrix", swiftSettings: settings),
    .executableTarget(
      name: "RandomHistories", dependencies: framework + ["ProsceniumTesting", "ScenarioKit", "TestSupport"],
      path: "Tests/Support/RandomHistories", swiftSettings: settings),

    // Tests by level, see docs/Testing.md: a target a level, a folder a topic.
    .testTarget(
      name: "UnitTests",
      dependencies: framework + [
        "CSystem", "ProsceniumX11", "ProsceniumDesktop", "DeskSupport", "ScenarioKit", "SourceSupport",
        "SuiteSupport", "TestSupport", "Pong", "Triangle",
      ] + views + (hasCairo ? ["Notes"] : []),
      path: "Tests/Unit", exclude: viewTests, swiftSettings: settings),
    .testTarget(
      name: "HeadlessTests",
      dependencies: framework + [
        "CProscenium", "CSystem", "Proscenium", "ProsceniumC", "ProsceniumDesktop", "ProsceniumTesting",
        "ProsceniumCheck", "ScenarioKit", "TestSupport", "Pong",
      ] + views + (hasCairo ? ["CCairo", "Gallery"] : []),
      path: "Tests/Headless", exclude: viewTests, swiftSettings: settings),
    .testTarget(
      name: "ServerTests",
      dependencies: framework + [
        "ProsceniumX11", "ProsceniumDesktop", "ProsceniumTesting", "ProsceniumDesk", "ProsceniumDeskTrait",
        "DeskSupport",
        "SceneObserver", "ProsceniumWatch", "SourceSupport", "SuiteSupport", "TestSupport", "CXCB",
      ] + views,
      path: "Tests/Server", swiftSettings: settings),
    .testTarget(
      name: "ProgramTests",
      dependencies: framework + [
        "ProsceniumTesting", "ProsceniumDesk", "ProsceniumDeskTrait", "ProsceniumCheck", "CXCB", "DeskSupport",
        "ScenarioKit", "SuiteSupport", "TestSupport", "ScenarioProgram", "FoundationProgram", "GuestProgram",
        "ProsceniumC", "TestSessionManager", "GLFWClock",
        "SceneLab", "Beacon", "Meter", "Pong", "Triangle",
      ] + (hasCairo ? ["Gallery", "Notes", "Postcard"] : []),
      path: "Tests/Program", swiftSettings: settings),
    .testTarget(
      name: "ContractTests",
      dependencies: framework + ["ProsceniumX11", "ProsceniumTesting", "ProsceniumDesk"], path: "Tests/Contract",
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Views, and what needs them: only where there are the headers of Cairo and Pango.
if hasCairo {
  package.products.append(.library(name: "ProsceniumUI", targets: ["ProsceniumUI"]))
  package.targets += [
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "cairo", providers: [.apt(["libpango1.0-dev"])]),
    // Uses public API alone, as a toolkit of another package does.
    .target(
      name: "ProsceniumUI",
      dependencies: ["ProsceniumCore", "CCairo", "CPango"],
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "PixelViewPeer", dependencies: ["Proscenium", "ProsceniumUI"], path: "Tests/Benchmarks/PixelViewPeer",
      swiftSettings: settings),
    .executableTarget(
      name: "ListPeer", dependencies: ["ProsceniumCore", "ProsceniumTesting", "ProsceniumUI"],
      path: "Tests/Benchmarks/ListPeer", swiftSettings: settings),
    // Its interface is a file beside the program.
    .executableTarget(
      name: "Postcard", dependencies: ["Proscenium", "ProsceniumUI"], path: "Demos/Postcard",
      resources: [.copy("Postcard.ui")], swiftSettings: settings),
    .executableTarget(
      name: "Notes", dependencies: ["Proscenium", "ProsceniumUI"], path: "Demos/Notes", swiftSettings: settings),
    .executableTarget(
      name: "Gallery", dependencies: ["Proscenium", "ProsceniumUI"], path: "Demos/Gallery", swiftSettings: settings),
  ]
}

// Parts of the package, which build faster: `law` is the law with its tests, `headless` the framework, the kit, and the
// unit and headless tests that need nothing else. Tests/mutants, Tests/sanitize and Tests/rooms build them.
@MainActor func keep(_ products: Set<String>, _ targets: Set<String>) {
  package.products.removeAll { !products.contains($0.name) }
  package.targets.removeAll { !targets.contains($0.name) }
}
switch ProcessInfo.processInfo.environment["PROSCENIUM_TARGETS"] {
case "law":
  keep([], ["SceneLifecycle", "TestSupport", "UnitTests"])
  for tests in package.targets where tests.type == .test {
    tests.dependencies = ["SceneLifecycle", "TestSupport"]
    tests.exclude = []
    tests.sources = ["Law"]
  }
case "headless":
  let imported: [Target.Dependency] =
    framework + [
      "CProscenium", "CSystem", "ProsceniumC", "ProsceniumCheck", "ProsceniumDesktop", "ProsceniumTesting",
      "ScenarioKit", "TestSupport",
    ]
  keep(
    ["ProsceniumTesting", "proscenium-check"],
    [
      "CProscenium", "CSystem", "CXCB", "Proscenium", "ProsceniumC", "ProsceniumX11", "SceneLifecycle",
      "ProsceniumJSON", "ProsceniumTrace", "ProsceniumLoop", "ProsceniumPlatform",
      "ProsceniumStore", "ProsceniumCore", "ProsceniumCheck", "ProsceniumDesktop", "ProsceniumTesting", "ScenarioKit",
      "TestSupport", "RandomHistories", "UnitTests", "HeadlessTests",
    ])
  package.targets.append(.target(name: "SanitizedLocks", path: "Tests/Support/SanitizedLocks"))
  for tests in package.targets where tests.type == .test {
    tests.dependencies = imported + ["SanitizedLocks"]
    tests.exclude = ["Demos", "UI"] + (tests.name == "UnitTests" ? ["Desktop", "Support", "X11"] : ["Articles"])
  }
default: break
}
