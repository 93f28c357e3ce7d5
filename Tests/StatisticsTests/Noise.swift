/// e to the power of a small number.
func exponential(_ value: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for step in 1...20 {
        term *= value / Double(step)
        sum += term
    }
    return sum
}

/// Numbers drawn from a seed, the same on every machine: SplitMix64 of Steele, Lea and Flood (2014).
struct Noise {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((word ^ (word >> 31)) >> 11) / 0x1p53
    }

    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }

    /// A count about its mean: Poisson when it is small, else normal.
    mutating func count(_ mean: Double) -> Int {
        guard mean < 30 else { return max(0, Int((mean + mean.squareRoot() * normal()).rounded())) }
        var (count, product) = (0, uniform())
        let limit = exponential(-mean / 8)
        let last = (0..<8).reduce(1.0) { value, _ in value * limit }
        while product > last {
            count += 1
            product *= uniform()
        }
        return count
    }
}
