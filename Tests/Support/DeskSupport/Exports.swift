// The tests' own helpers bring the public kit that they extend.
@_exported public import ProsceniumDesk
