import Foundation
import Statistics
import Testing

struct WilsonIntervalTests {
    @Test(arguments: [
        (0, 10, 0.95, 0.0, 0.27753279986288926), (10, 10, 0.95, 0.7224672001371106, 1.0),
        (1, 10, 0.99, 0.011851503411032971, 0.5072317712328935),
        (3, 200, 0.95, 0.005114237793258307, 0.043165728792690275),
    ]) func agreesWithPublishedRows(
        successes: Int, trials: Int, confidence: Double, lower: Double, upper: Double
    ) throws {
        try check(successes, trials, confidence, lower, upper)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: referenceFile.path)))
    func agreesWithReferenceValues() throws {
        struct File: Decodable {
            struct Case: Decodable { let x: Int, n: Int, alpha: Double, wilson: [Double] }
            let cases: [Case]
        }
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: referenceFile))
        #expect(!file.cases.isEmpty)
        for row in file.cases { try check(row.x, row.n, 1 - row.alpha, row.wilson[0], row.wilson[1]) }
    }

    @Test(arguments: [
        (0, 0, 0.95), (3, 2, 0.95), (-1, 2, 0.95), (1, -2, 0.95), (1, 2, 0), (1, 2, 1), (1, 2, .nan),
    ])
    func hasNoIntervalForImpossibleCounts(successes: Int, trials: Int, confidence: Double) {
        #expect(wilsonInterval(successes: successes, of: trials, confidence: confidence) == nil)
    }

    /// Half widths of independent errors add up as squares; what is exact stays as it is.
    @Test(
        arguments: [
            (10, 1000, 0), (10, 1000, 0.000_05), (10, 1000, 0.01), (990, 1000, 0.01),
            (500_000, 1_000_000, 0.002_9),
        ])
    func anErrorOfTheWholeWidens(part: Int, whole: Int, error: Double) throws {
        let own = try #require(wilsonInterval(successes: part, of: whole))
        let share = Double(part) / Double(whole)
        let wide = widened(own, around: share, by: error)
        #expect(wide.lower <= own.lower && wide.upper >= own.upper)
        #expect(wide.lower >= 0 && wide.upper <= 1 && (wide == own) == (error == 0))
        let room = min(share, 1 - share)
        let half = (pow(own.upper - share, 2) + pow(1.959_964 * error, 2)).squareRoot()
        if room > half { #expect(abs(wide.upper - share - half) < 1e-6) }
        #expect(wide.width - own.width >= 0)
    }

    @Test func touchesAnEndOnlyWhenNoneOrAllSucceeded() throws {
        let most = try #require(wilsonInterval(successes: .max - 1, of: .max))
        #expect(most.upper < 1 && most.lower > 0.999)
        let few = try #require(wilsonInterval(successes: 1, of: .max))
        #expect(few.lower > 0 && few.upper < 1e-17)
        #expect(wilsonInterval(successes: .max, of: .max)?.upper == 1)
        #expect(wilsonInterval(successes: 0, of: .max)?.lower == 0)
    }

    private func check(
        _ successes: Int, _ trials: Int, _ confidence: Double, _ lower: Double, _ upper: Double
    ) throws {
        let interval = try #require(wilsonInterval(successes: successes, of: trials, confidence: confidence))
        #expect(abs(interval.lower - lower) < 1e-9, "\(successes) of \(trials)")
        #expect(abs(interval.upper - upper) < 1e-9, "\(successes) of \(trials)")
    }
}

/// Reference values that lie next to the checkout on some machines.
private let referenceFile = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
}
.appendingPathComponent("shared/statistics/reference-values/proportion_intervals.json")
