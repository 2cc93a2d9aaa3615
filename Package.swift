// swift-tools-version: 6.3
import Foundation
import PackageDescription

// One package to build with: Swift and libxcb1-dev, nothing else. See CONTRIBUTING.md for the directions
// in which targets may depend on each other.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Whether pkg-config knows a library: one of its `.pc` files is where it looks.
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
      ("Proscenium: no cairo and pangocairo here, so ProsceniumUI is left out. (libpango1.0-dev has both; SwiftPM remembers "
        + "this answer until `swift package purge-cache`.)\n").utf8))
}

/// The framework and what it is made of.
let framework: [Target.Dependency] = [
  "SceneLifecycle", "ProsceniumJSON", "ProsceniumTrace", "ProsceniumLoop", "ProsceniumPlatform", "ProsceniumStore",
  "ProsceniumCore",
]

let package = Package(
  name: "Proscenium",
  products: [
    .library(name: "Proscenium", targets: ["Proscenium"]),
    .library(name: "ProsceniumTesting", targets: ["ProsceniumTesting"]),
    .executable(name: "proscenium-check", targets: ["ProsceniumCheck"]),
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
      name: "ProsceniumStore", dependencies: ["ProsceniumJSON", "ProsceniumPlatform", "ProsceniumLoop"],
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
    .target(
      name: "ProsceniumDesktop", dependencies: ["ProsceniumLoop", "ProsceniumPlatform", "CSystem"],
      swiftSettings: settings),
    .target(
      name: "ProsceniumTesting",
      dependencies: framework, swiftSettings: settings),
    .executableTarget(name: "ProsceniumCheck", dependencies: ["ProsceniumTesting"], swiftSettings: settings),
    .target(name: "ProsceniumDesk", dependencies: ["CXCB"], swiftSettings: settings),
    .target(name: "ProsceniumDeskTrait", dependencies: ["ProsceniumDesk"], swiftSettings: settings),
    .target(
      name: "Proscenium",
      dependencies: framework + ["ProsceniumX11", "ProsceniumDesktop"],
      swiftSettings: settings),
    .executableTarget(
      name: "SceneLab", dependencies: ["Proscenium"] + (hasCairo ? ["ProsceniumUI"] : []), path: "Demos/SceneLab",
      swiftSettings: settings),
    .executableTarget(name: "Pong", dependencies: ["Proscenium"], path: "Demos/Pong", swiftSettings: settings),
    .executableTarget(name: "Meter", dependencies: ["Proscenium"], path: "Demos/Meter", swiftSettings: settings),
    .executableTarget(
      name: "Beacon", dependencies: ["Proscenium"] + (hasCairo ? ["ProsceniumUI"] : []), path: "Demos/Beacon",
      swiftSettings: settings),
    .executableTarget(name: "Triangle", dependencies: ["Proscenium"], path: "Demos/Triangle", swiftSettings: settings),
    .executableTarget(
      name: "ScenePeer", dependencies: ["Proscenium", "CXCB"], path: "Tests/Benchmarks/ScenePeer",
      swiftSettings: settings),
    .executableTarget(
      name: "PixelPeer", dependencies: ["Proscenium"], path: "Tests/Benchmarks/PixelPeer", swiftSettings: settings),
    .executableTarget(
      name: "StorePeer", dependencies: framework, path: "Tests/Benchmarks/StorePeer",
      swiftSettings: settings),
    .executableTarget(
      name: "KitPeer", dependencies: framework + ["ProsceniumTesting"], path: "Tests/Benchmarks/KitPeer",
      swiftSettings: settings),
    .testTarget(name: "SceneLifecycleTests", dependencies: ["SceneLifecycle"], swiftSettings: settings),
    .target(
      name: "ScenarioKit", dependencies: framework, path: "Tests/ScenarioKit", swiftSettings: settings),
    .executableTarget(
      name: "ScenarioProgram", dependencies: ["Proscenium", "ScenarioKit"], path: "Tests/ScenarioProgram",
      swiftSettings: settings),
    .executableTarget(
      name: "TestSessionManager", path: "Tests/TestSessionManager", swiftSettings: settings),
    .target(
      name: "DeskSupport", dependencies: ["ProsceniumDesk", "ProsceniumTesting", "CXCB"], path: "Tests/DeskSupport",
      swiftSettings: settings),
    .executableTarget(name: "Matrix", dependencies: ["DeskSupport"], path: "Tests/Matrix", swiftSettings: settings),
    .testTarget(
      name: "ProsceniumCoreTests",
      dependencies: ["Proscenium"] + framework + ["ProsceniumDesktop", "ProsceniumTesting", "ScenarioKit"],
      swiftSettings: settings),
    .testTarget(
      name: "ProsceniumTestingTests",
      dependencies: framework + ["ProsceniumCheck", "ProsceniumTesting", "ScenarioKit"],
      swiftSettings: settings),
    .executableTarget(
      name: "RandomHistories", dependencies: framework + ["ProsceniumTesting", "ScenarioKit"],
      path: "Tests/RandomHistories",
      swiftSettings: settings),
    .target(
      name: "SourceSupport", dependencies: framework, path: "Tests/SourceSupport", swiftSettings: settings),
    .testTarget(
      name: "ProsceniumSystemTests",
      dependencies: framework + ["ProsceniumDesktop", "DeskSupport", "SourceSupport"], swiftSettings: settings),
    .testTarget(
      name: "ProsceniumBusTests",
      dependencies: framework + ["ProsceniumDesktop", "DeskSupport", "ScenarioKit", "SourceSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ProsceniumDeskTests", dependencies: ["ProsceniumDesk", "ProsceniumDeskTrait", "DeskSupport", "SceneLab"],
      swiftSettings: settings),
    .testTarget(
      name: "PlatformContractTests",
      dependencies: framework + ["ProsceniumX11", "ProsceniumTesting", "ProsceniumDesk"],
      swiftSettings: settings),
    .testTarget(
      name: "ProsceniumX11Tests",
      dependencies: framework + [
        "Proscenium", "ProsceniumX11", "ProsceniumTesting", "DeskSupport", "ScenarioKit", "Beacon", "Meter", "Pong",
        "Triangle",
      ] + (hasCairo ? ["ProsceniumUI"] : []),
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Views, and what needs them: only where there are the headers of Cairo and Pango.
if hasCairo {
  package.products.append(.library(name: "ProsceniumUI", targets: ["ProsceniumUI"]))
  package.targets += [
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .target(
      name: "ProsceniumUI",
      dependencies: ["ProsceniumLoop", "ProsceniumPlatform", "ProsceniumCore", "CCairo", "CPango"],
      swiftSettings: settings),
    .executableTarget(
      name: "PixelViewPeer", dependencies: ["Proscenium", "ProsceniumUI"], path: "Tests/Benchmarks/PixelViewPeer",
      swiftSettings: settings),
    .testTarget(
      name: "ProsceniumUITests",
      dependencies: framework + ["Proscenium", "ProsceniumTesting", "ProsceniumUI", "CCairo"],
      exclude: ["Pictures"], swiftSettings: settings),
    .executableTarget(
      name: "Notes", dependencies: ["Proscenium", "ProsceniumUI"], path: "Demos/Notes", swiftSettings: settings),
  ]
}

// What Tests/sanitize and Tests/mutants build: the law and what tests it, and with `headless` the framework and what tests
// that without a display too.
let part = ProcessInfo.processInfo.environment["PROSCENIUM_TARGETS"]
if part == "law" || part == "headless" {
  var kept: Set = ["SceneLifecycle", "SceneLifecycleTests"]
  if part == "headless" {
    kept.formUnion([
      "ProsceniumJSON", "ProsceniumTrace", "ProsceniumLoop", "ProsceniumPlatform", "ProsceniumStore",
      "ProsceniumCore", "CSystem",
      "ProsceniumDesktop", "ProsceniumTesting", "ScenarioKit", "ProsceniumCoreTests",
      "ProsceniumCheck", "ProsceniumTestingTests",
      "RandomHistories",
    ])
  }
  package.products.removeAll { !["ProsceniumTesting", "proscenium-check"].contains($0.name) || part == "law" }
  package.targets.removeAll { !kept.contains($0.name) }
  for target in package.targets where target.name == "ProsceniumCoreTests" {
    // What imports the whole library, to show that this is enough.
    target.exclude = ["PublicKitTests.swift", "Articles"]
    target.dependencies.removeFirst()
    target.dependencies.append("SanitizedLocks")
  }
  package.targets.append(.target(name: "SanitizedLocks", path: "Tests/SanitizedLocks"))
}
