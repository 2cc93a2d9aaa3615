// Whoever has the tests' own helpers has the public kit that they stand on.
@_exported public import ProsceniumDesk
