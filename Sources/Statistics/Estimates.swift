/// Whoever computes sees the values that come of it.
@_exported public import Estimates
