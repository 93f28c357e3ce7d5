import Foundation
import Statistics
import Testing

struct CountDistributionTests {
    @Test(.enabled(if: hasReferenceValues)) func tailsAgreeWithReferenceValues() throws {
        struct Row: Decodable {
            let mu: Double, kappa: Double, x: Int, p_ge: Double, pmf: Double, mid_p: Double
        }
        let file = try ReferenceValues<Row>("count_exceedance")
        for row in file.cases {
            let counts = try #require(CountDistribution(mean: row.mu, dispersion: row.kappa))
            let label: Comment = "\(row)"
            expectClose(counts.tails(atLeast: row.x).upper, row.p_ge, within: file.tol, floor: 1e-300, label)
            expectClose(
                exp(counts.logProbability(of: row.x)), row.pmf, within: file.tol, floor: 1e-300, label)
            expectClose(exp(counts.logMidP(above: row.x)), row.mid_p, within: file.tol, floor: 1e-300, label)
        }
    }

    @Test(.enabled(if: hasReferenceValues)) func quantilesAgreeWithReferenceValues() throws {
        struct Row: Decodable {
            let mu: Double, phi: Double, alpha: Double, quantile: Int, poisson_quantile: Int
        }
        for row in try ReferenceValues<Row>("count_quantiles").cases {
            let wide = try #require(CountDistribution(mean: row.mu, dispersion: (row.phi - 1) / row.mu))
            let poisson = try #require(CountDistribution(mean: row.mu))
            #expect(wide.quantile(upperTail: row.alpha) == row.quantile, "\(row)")
            #expect(poisson.quantile(upperTail: row.alpha) == row.poisson_quantile, "\(row)")
        }
    }

    @Test func tailsOfSmallCountsAddUp() throws {
        let counts = try #require(CountDistribution(mean: 2.5, dispersion: 0.8))
        let few = (0..<4).map { exp(counts.logProbability(of: $0)) }.reduce(0, +)
        expectClose(counts.tails(atLeast: 4).lower, few, within: 1e-13)
    }

    @Test func impossibleDistributionsAreRefused() {
        for (mean, dispersion) in [(0, 0), (-1, 0), (.nan, 0), (1, -1), (1, .nan), (.infinity, 0)]
            as [(Double, Double)]
        {
            #expect(CountDistribution(mean: mean, dispersion: dispersion) == nil)
        }
    }

    @Test func edgesAreAnswered() throws {
        let counts = try #require(CountDistribution(mean: 3, dispersion: 0.1))
        #expect(counts.tails(atLeast: -5).upper == 1)
        #expect(counts.logProbability(of: -1) == -.infinity)
        #expect(counts.tails(atLeast: .max).upper == 0)
        #expect(counts.quantile(upperTail: 0) == nil)
        #expect(counts.quantile(upperTail: .nan) == nil)
        let vast = try #require(CountDistribution(mean: 1e12))
        let bound = try #require(vast.quantile(upperTail: 0.025))
        #expect(abs(Double(bound) - 1e12 - 1.96e6) < 1e3)
    }
}
