// The states, reasons and policies that the public API speaks of are the law's own; geometry, input and pixels the
// seam's; the loops of other libraries the loop's.
@_exported public import ProsceniumLoop
@_exported public import ProsceniumPlatform
@_exported public import SceneLifecycle
