import Glibc
import Proscenium

/// Windows with a triangle that turns, drawn with OpenGL ES.
@main @MainActor final class TriangleProgram: Responder {
  private let graphics: Graphics

  override init() {
    do throws(Failure) {
      graphics = try Graphics()
    } catch {
      Self.complain(error)
      exit(1)
    }
    super.init()
  }

  var manifest: ApplicationManifest {
    let graphics = graphics
    let configuration = SceneConfiguration(name: "Triangle", delegate: { TriangleScene(graphics) })
    configuration.launchSize = Size(width: 400, height: 400)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Triangle", sceneConfigurations: [configuration])
    manifest.suspensionPolicy = .whenAllInBackground
    return manifest
  }
}

extension TriangleProgram: ApplicationDelegate {
  func applicationWillTerminate(_ application: Application) { graphics.close() }

  static func complain(_ failure: Failure) {
    let text = "Triangle: \(failure.text)\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
  }
}
