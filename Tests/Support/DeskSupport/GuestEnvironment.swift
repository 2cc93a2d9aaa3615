/// Variables for programs of other toolkits: no accelerated drawing, no service that reads windows out.
package let guestEnvironment = [
  "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
  "SDL_RENDER_DRIVER": "software",
]
