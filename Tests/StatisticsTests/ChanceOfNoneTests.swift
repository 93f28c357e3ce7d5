import Statistics
import Testing

struct ChanceOfNoneTests {
    /// What is expected, how much more it varies than chance has it, and the chance of none: exp(−20), and 10 to the power
    /// of −expected ÷ 9.
    @Test(
        arguments: [
            (0.0, 1.0, 1.0), (20, 1, 2.061_153_622e-9), (20, 1 + 1e-9, 2.061_153_622e-9), (9, 10, 0.1),
            (81, 10, 1e-9),
            (-1, 3, 1),
        ] as [(Double, Double, Double)])
    func moreVariationMakesNoneLikelier(expected: Double, dispersion: Double, chance: Double) {
        let found = chanceOfNone(expected: expected, dispersion: dispersion)
        #expect(abs(found / chance - 1) < 1e-6, "\(found)")
    }
}
