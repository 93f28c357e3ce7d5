import Charts
import Foundation
import Markup
import Testing

/// The colors of charts stand once in the program; the default theme repeats them between two comments.
struct StyleTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Themes/default/assets/site.css")

    @Test func theDefaultThemeHasTheRulesOfCharts() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: "/* Colors of marks, generated from the code */\n"))
        let end = try #require(text.range(of: "/* End of the colors of marks */"))
        let rules = chartRules.map { $0.text + "\n" }.joined()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            let whole = text[..<start.upperBound] + rules + text[end.lowerBound...]
            try String(whole).write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[start.upperBound..<end.lowerBound] == rules, "UPDATE_GOLDEN=1 rewrites it")
    }

    @Test func drawingsAloneHaveThePalettesOfTheDefaultTheme() throws {
        let colors = Self.file.deletingLastPathComponent().appending(path: "colours.css")
        let text = try String(contentsOf: colors, encoding: .utf8)
        let palette = "\(standalonePalette)"
        let tokens = palette.matches(of: /--([a-z]+):(#[0-9a-f]{6})/).map { (String($0.1), String($0.2)) }
        #expect(tokens.count == 12)
        for (name, color) in tokens { #expect(text.contains("--\(name): \(color);"), "\(name)") }
    }

    @Test func everyClassOfADrawingIsKnownOrPlain() throws {
        let ruled = Set(chartRules.flatMap(\.selectors).map { $0.dropFirst() }.map(String.init))
        let plain: Set = [
            "chart-grid", "chart-axis", "chart-tick", "chart-hatch", "chart-absent", "chart-missing",
            "chart-not-collected", "chart-no-sessions", "chart-below-minimum", "chart-release",
            "chart-release-label", "chart-legend", "chart-empty", "chart-zero", "chart-expectation",
            "chart-expected", "chart-note", "chart-lane-label", "chart-rest", "chart-row-value",
            "chart-whisker", "chart-unsure", "sparkline", "chart", "chart-list", "chart-strip",
            "chart-joint",
        ]
        for sample in Gallery.all {
            for match in sample.chart.svg().text.matches(of: /class="([^"]+)"/) {
                for name in match.1.split(separator: " ").map(String.init) {
                    #expect(ruled.contains(name) || plain.contains(name), "\(name)")
                }
            }
        }
    }
}
