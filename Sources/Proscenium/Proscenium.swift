@_exported public import ProsceniumCore
@_exported public import ProsceniumX11
