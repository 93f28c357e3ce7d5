import Statistics
import Testing

struct NormalQuantileTests {
    @Test(arguments: [
        (0.5, 0.0), (0.975, 1.959963984540054), (0.995, 2.5758293035489004), (0.025, -1.959963984540054),
        (0.9, 1.2815515655446004), (1e-10, -6.361340902404056), (1e-300, -37.0471),
    ]) func agreesWithTables(probability: Double, expected: Double) throws {
        let quantile = try #require(normalQuantile(probability))
        #expect(abs(quantile - expected) < max(1e-12, abs(expected) * (probability < 1e-100 ? 1e-5 : 1e-13)))
    }

    @Test(arguments: [0, 1, -0.1, 1.1, .nan, .infinity]) func hasNoValueOutsideTheOpenUnitInterval(
        probability: Double
    ) {
        #expect(normalQuantile(probability) == nil)
    }
}
