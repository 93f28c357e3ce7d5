extension [UInt8] {
    /// The same in memory of just their number: an array that grew has room for up to twice as many, and one made of a
    /// slice of all of it shares that.
    var fitted: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}
