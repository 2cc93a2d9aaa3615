// swift-tools-version: 6.3
import PackageDescription

// One package to build with: Swift and libxcb1-dev, nothing else. See CONTRIBUTING.md for the directions
// in which targets may depend on each other.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "Proscenium",
  products: [
    .library(name: "Proscenium", targets: ["Proscenium"]),
    .library(name: "ProsceniumTesting", targets: ["ProsceniumTesting"]),
  ],
  targets: [
    .systemLibrary(name: "CXCB", providers: [.apt(["libxcb1-dev"])]),
    .target(name: "SceneLifecycle", swiftSettings: settings),
    .target(name: "ProsceniumCore", dependencies: ["SceneLifecycle"], swiftSettings: settings),
    .target(
      name: "ProsceniumX11", dependencies: ["ProsceniumCore", "SceneLifecycle", "CXCB"], swiftSettings: settings),
    .target(name: "ProsceniumTesting", dependencies: ["ProsceniumCore", "SceneLifecycle"], swiftSettings: settings),
    .target(
      name: "Proscenium", dependencies: ["ProsceniumCore", "ProsceniumX11", "SceneLifecycle"],
      swiftSettings: settings),
    .executableTarget(name: "SceneLab", dependencies: ["Proscenium"], path: "Demos/SceneLab", swiftSettings: settings),
    .executableTarget(
      name: "ScenePeer", dependencies: ["Proscenium", "CXCB"], path: "Tests/Benchmarks/ScenePeer",
      swiftSettings: settings),
    .testTarget(name: "SceneLifecycleTests", dependencies: ["SceneLifecycle"], swiftSettings: settings),
    .target(
      name: "ScenarioKit", dependencies: ["ProsceniumCore"], path: "Tests/ScenarioKit", swiftSettings: settings),
    .executableTarget(
      name: "ScenarioProgram", dependencies: ["Proscenium", "ScenarioKit"], path: "Tests/ScenarioProgram",
      swiftSettings: settings),
    .target(name: "DeskSupport", dependencies: ["CXCB"], path: "Tests/DeskSupport", swiftSettings: settings),
    .testTarget(
      name: "ProsceniumCoreTests",
      dependencies: ["Proscenium", "ProsceniumCore", "ProsceniumTesting", "ScenarioKit", "SceneLifecycle"],
      swiftSettings: settings),
    .testTarget(
      name: "ProsceniumX11Tests",
      dependencies: [
        "Proscenium", "ProsceniumCore", "ProsceniumX11", "ProsceniumTesting", "SceneLifecycle", "DeskSupport",
        "ScenarioKit",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
