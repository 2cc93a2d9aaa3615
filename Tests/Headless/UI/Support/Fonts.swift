import Glibc

/// Text looks the same wherever the test runs: DejaVu Sans alone, found by a configuration of the test's own.
enum TestFonts {
  static let isSet: Bool = {
    let folder = "/tmp/proscenium-ui-fonts-\(getuid())"
    mkdir(folder, 0o700)
    let text = """
      <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
      <dir>/usr/share/fonts/truetype/dejavu</dir><dir>/usr/share/fonts/truetype/noto</dir>
      <cachedir>\(folder)/cache</cachedir>
      <alias><family>Sans</family><prefer><family>DejaVu Sans</family></prefer></alias>
      <alias><family>Monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
      </fontconfig>
      """
    let path = folder + "/\(getpid()).conf"
    guard let file = fopen(path, "w") else { return false }
    fputs(text, file)
    fclose(file)
    setenv("FONTCONFIG_FILE", path, 1)
    return access("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", R_OK) == 0
  }()
}
