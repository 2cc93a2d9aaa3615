// The states, reasons and policies that the public API speaks of are the law's own.
@_exported public import SceneLifecycle
