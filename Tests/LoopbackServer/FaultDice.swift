import Synchronization

/// Decides by a seed, the address and how often it was requested before whether a response fails: the order in which
/// requests come changes nothing.
package final class FaultDice: Sendable {
    private let probability: Double
    private let seed: UInt64
    private let asked = Mutex<[String: UInt64]>([:])

    /// Dice that fail so many of all responses, 0...1.
    package init(probability: Double, seed: UInt64) {
        self.probability = probability
        self.seed = seed
    }

    /// Nil for a good response, otherwise any number, by which the kind of the fault is chosen.
    package func fault(for target: String) -> UInt64? {
        let turn = asked.withLock { asked in
            asked[target, default: 0] += 1
            return asked[target, default: 0]
        }
        var random = SplitMix(state: seed ^ place(of: target) &+ turn &* 0x9E37_79B9_7F4A_7C15)
        return Double(random.next() >> 11) < probability * 0x1p53 ? random.next() : nil
    }

    /// How many requests came, all addresses together.
    package var count: Int { asked.withLock { Int($0.values.reduce(0, +)) } }

    // FNV-1a (G. Fowler, L. Noll, K. Vo).
    private func place(of target: String) -> UInt64 {
        target.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// SplitMix64 (G. Steele and others, OOPSLA 2014).
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
