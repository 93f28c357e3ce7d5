import Foundation
import Testing

@testable import Statistics

struct DistributionTests {
    /// The point of whose log-odds the quantile is computed.
    private func betaQuantile(_ wanted: Tails, _ a: Double, _ b: Double) -> Double? {
        betaLogit(wanted, a, b).map { 1 / (1 + exp(-$0)) }
    }

    @Test(.enabled(if: hasReferenceValues)) func specialFunctionsAgreeWithReferenceValues() throws {
        struct Row: Decodable {
            let z: Double?, cdf: Double?, sf: Double?, t20_sf: Double?
            let p: Double?, norm_isf: Double?, t20_isf: Double?
            let a: Double?, b: Double?, x: Double?
            let gammainc_P: Double?, gammainc_Q: Double?, lgamma: Double?
            let betainc: Double?, betaincinv_0975: Double?
        }
        let file = try ReferenceValues<Row>("special_functions")
        func check(_ actual: Double?, _ expected: Double?, _ row: Row) {
            guard let expected else { return }
            expectClose(actual, expected, within: file.tol, floor: 1e-300, "\(row)")
        }
        for row in file.cases {
            if let z = row.z {
                check(normalTails(z).lower, row.cdf, row)
                check(normalTails(z).upper, row.sf, row)
                check(studentTails(z, freedom: 20).upper, row.t20_sf, row)
            }
            if let p = row.p {
                check(normalQuantile(Tails(upper: p)), row.norm_isf, row)
                check(studentQuantile(Tails(upper: p), freedom: 20), row.t20_isf, row)
            }
            if let a = row.a, let x = row.x {
                check(incompleteGamma(a, x).lower, row.gammainc_P, row)
                check(incompleteGamma(a, x).upper, row.gammainc_Q, row)
                check(logGamma(a), row.lgamma, row)
                guard let b = row.b else { continue }
                check(incompleteBeta(a, b, x).lower, row.betainc, row)
                check(betaQuantile(Tails(lower: 0.975), a, b), row.betaincinv_0975, row)
            }
        }
    }

    @Test(arguments: [
        (0.0, 0.5), (1.959963984540054, 0.025), (6.0, 9.865876450376946e-10),
        (37.0, 5.7255712225239266e-300), (-1.0, 0.8413447460685429),
    ]) func normalTailsAgreeWithPublishedRows(deviate: Double, upper: Double) {
        expectClose(normalTails(deviate).upper, upper, within: 1e-12)
        expectClose(normalQuantile(Tails(upper: upper)), deviate, within: 1e-12)
    }

    @Test(arguments: [
        (2.0859634472658652, 20.0, 0.025), (39.36454127410582, 20, 1e-20),
        (12.706204736174708, 1, 0.025), (3960622313998234.0, 20, 1e-300),
    ]) func studentTailsAgreeWithPublishedRows(value: Double, freedom: Double, upper: Double) {
        expectClose(studentTails(value, freedom: freedom).upper, upper, within: 1e-11)
        expectClose(studentQuantile(Tails(upper: upper), freedom: freedom), value, within: 1e-11)
        expectClose(studentTails(-value, freedom: freedom).lower, upper, within: 1e-11)
    }

    /// The logarithm of the tail is about −z²/2 − log(z √2π) where the tail itself is no Double any more.
    @Test func normalTailsReachBeyondDoubles() {
        let tails = normalTails(1000)
        expectClose(tails.logUpper, -500_007.8266948121, within: 1e-12)
        #expect(tails.upper == 0 && tails.lower == 1)
        expectClose(normalQuantile(tails), 1000, within: 1e-12)
        #expect(normalTails(.infinity).lower == 1)
        #expect(normalTails(-.infinity).upper == 1)
    }

    @Test func functionsOutsideTheirDomainHaveNoAnswer() {
        #expect(normalTails(.nan).lower.isNaN)
        #expect(studentTails(1, freedom: 0).upper.isNaN)
        #expect(studentTails(.nan, freedom: 3).upper.isNaN)
        #expect(incompleteGamma(0, 1).lower.isNaN)
        #expect(incompleteGamma(1, -1).lower.isNaN)
        #expect(incompleteGamma(1, .nan).lower.isNaN)
        #expect(incompleteBeta(1, 1, 1.1).lower.isNaN)
        #expect(incompleteBeta(.nan, 1, 0.5).lower.isNaN)
        #expect(logGamma(-1).isNaN && logBeta(0, 1).isNaN)
        #expect(normalQuantile(Tails(upper: 0)) == nil)
        #expect(normalQuantile(Tails(upper: 1.5)) == nil)
        #expect(studentQuantile(Tails(upper: .nan), freedom: 4) == nil)
        #expect(betaQuantile(Tails(lower: 0.5), -1, 1) == nil)
        #expect(gammaQuantile(Tails(lower: 0.5), shape: 0) == nil)
    }

    @Test func endsOfTheDomainAreAnswered() {
        #expect(incompleteGamma(2, 0).lower == 0)
        #expect(incompleteGamma(2, .infinity).lower == 1)
        #expect(incompleteBeta(2, 3, 0).lower == 0)
        #expect(incompleteBeta(2, 3, 1).lower == 1)
        #expect(studentTails(.infinity, freedom: 3).upper == 0)
        #expect(studentTails(0, freedom: 3).upper == 0.5)
        #expect(betaQuantile(Tails(lower: 0), 2, 3) == 0)
        #expect(betaQuantile(Tails(lower: 1), 2, 3) == 1)
        #expect(gammaQuantile(Tails(lower: 0), shape: 2) == 0)
    }

    @Test(arguments: [1e-12, 0.01, 0.3, 0.5, 0.9, 0.999999])
    func quantilesUndoTails(lower: Double) throws {
        for shape in [0.3, 1, 7, 400, 2e5] {
            let gamma = try #require(gammaQuantile(Tails(lower: lower), shape: shape))
            expectClose(incompleteGamma(shape, gamma).lower, lower, within: 1e-9, "gamma \(shape)")
            for other in [0.5, 20, 3000] {
                let beta = try #require(betaQuantile(Tails(lower: lower), shape, other))
                guard beta < 0.999999 else { continue }
                expectClose(
                    incompleteBeta(shape, other, beta).lower, lower, within: 1e-9, "\(shape) \(other)")
            }
        }
        let value = try #require(studentQuantile(Tails(lower: lower), freedom: 3))
        expectClose(studentTails(value, freedom: 3).lower, lower, within: 1e-12)
    }

    /// The expansions for large parameters meet the series and the fractions where they take over.
    @Test(arguments: [-6.0, -3, -0.5, 0, 1e-7, 0.5, 3, 6])
    func largeParametersContinueSmallOnes(deviate: Double) {
        func gamma(_ shape: Double) -> Double {
            incompleteGamma(shape, shape + deviate * shape.squareRoot()).lower
        }
        expectClose(gamma(1.000001e6), gamma(0.999999e6), within: 1e-7)
        expectClose(gamma(1e12), normalTails(deviate).lower, within: 1e-4)
        func beta(_ a: Double) -> Double {
            let center = a / (a + 4e6)
            return incompleteBeta(a, 4e6, center + deviate * (center * (1 - center) / (a + 4e6)).squareRoot())
                .lower
        }
        expectClose(beta(1.000001e6), beta(0.999999e6), within: 1e-7)
    }
}
