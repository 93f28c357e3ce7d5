import Foundation
import Statistics
import Testing

struct TrendAndAdjustmentTests {
    @Test(.enabled(if: hasReferenceValues)) func trendsAgreeWithReferenceValues() throws {
        struct Row: Decodable {
            let x: [Double], S: Int, `var`: Double, z: Double, p: Double, sen_slope: Double
        }
        let file = try ReferenceValues<Row>("mann_kendall")
        for row in file.cases {
            let test = try #require(MannKendall(row.x))
            #expect(test.score == row.S)
            expectClose(test.variance, row.var, within: file.tol)
            expectClose(test.deviate, row.z, within: file.tol)
            expectClose(test.pValue, row.p, within: file.tol)
            expectClose(theilSenSlope(row.x), row.sen_slope, within: file.tol, floor: file.tol)
        }
    }

    @Test(.enabled(if: hasReferenceValues)) func adjustmentsAgreeWithReferenceValues() throws {
        struct Row: Decodable { let p: [Double], bh: [Double] }
        let file = try ReferenceValues<Row>("multiple_testing")
        for row in file.cases {
            for (actual, value) in zip(adjustedForDiscoveries(row.p), row.bh) {
                expectClose(actual, value, within: file.tol, "\(row)")
            }
        }
    }

    @Test func aShortSeriesIsTested() throws {
        let test = try #require(MannKendall([99.1, 99.2, 99.2, 99.5]))
        #expect(test.score == 5)
        expectClose(test.variance, 7.666666666666667, within: 1e-12)
        expectClose(test.pValue, 0.14856177489186864, within: 1e-10)
        expectClose(theilSenSlope([99.1, 99.2, 99.2, 99.5]), 0.11666666666667187, within: 1e-10)
    }

    @Test func edgesOfTrendsAreAnswered() throws {
        #expect(MannKendall([]) == nil && MannKendall([1]) == nil && MannKendall([1, .nan]) == nil)
        let flat = try #require(MannKendall([2, 2, 2]))
        #expect(flat.score == 0 && flat.variance == 0 && flat.deviate == 0 && flat.pValue == 1)
        #expect(MannKendall([Double](repeating: 1, count: 10_001)) == nil)
        #expect(theilSenSlope([]) == nil && theilSenSlope([4]) == nil)
        #expect(theilSenSlope([3, 3, 3]) == 0)
        #expect(theilSenSlope([1, .nan, 5]) == 2)
        #expect(theilSenSlope([Double](repeating: 1, count: 2001)) == nil)
    }

    @Test func adjustmentsKeepOrderAndGaps() {
        let result = adjustedForDiscoveries([0.04, .nan, 0.01, 2, 0.04, 0])
        #expect(result[1].isNaN && result[3].isNaN)
        #expect(result[5] == 0 && result[2] <= result[0] && result[0] == result[4] && result[0] >= 0.04)
        #expect(adjustedForDiscoveries([]).isEmpty)
        #expect(adjustedForDiscoveries([1]) == [1])
    }

    @Test func adjustedValuesAreThoseOfTheDefinition() {
        #expect(
            adjustedForDiscoveries([0.01, 0.04, 0.03]).map { ($0 * 1e6).rounded() } == [3e4, 4e4, 4e4])
    }
}
