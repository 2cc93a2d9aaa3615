@_exported public import ProsceniumCore
