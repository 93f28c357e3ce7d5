import AppHealth
import Charts
import Foundation
import Markup
import SiteChecks
import Statistics
import Testing

struct DrawingTests {
    @Test(arguments: Samples.lines.map(\.name)) func drawsLines(name: String) throws {
        let sample = try #require(Samples.lines.first { $0.name == name })
        try check(sample.chart, name)
    }

    @Test(arguments: Samples.bars.map(\.name)) func drawsBars(name: String) throws {
        let sample = try #require(Samples.bars.first { $0.name == name })
        try check(sample.chart, name)
    }

    @Test(arguments: Samples.sparklines.map(\.name)) func drawsSparklines(name: String) throws {
        let sample = try #require(Samples.sparklines.first { $0.name == name })
        try check(sample.chart, name)
    }

    @Test(arguments: Gallery.all.map(\.name)) func drawsEachKind(name: String) throws {
        let sample = try #require(Gallery.all.first { $0.name == name })
        try check(sample.chart, name)
        let table = sample.chart.table
        #expect(table.cells.allSatisfy { $0.count == table.columns.count })
        try expectGolden(table.csv, named: "\(name).csv")
    }

    @Test(arguments: Gallery.full.map(\.name)) func drawsEachKindAsAFileOfItsOwn(name: String) throws {
        let sample = try #require(Gallery.full.first { $0.name == name })
        let text = sample.chart.drawing().standalone.text
        try expectWellFormed(text)
        try expectGolden(text, named: "\(name)-standalone.svg")
        #expect(text.contains("prefers-color-scheme:dark"))
        for word in ["href", "http://", "https://", "@import", "url("] {
            let places = text.ranges(of: word).filter { range in
                let rest = text[range.lowerBound...]
                return !rest.hasPrefix("http://www.w3.org/2000/svg\"") && !rest.hasPrefix("url(#")
            }
            #expect(places.isEmpty, "\(word)")
        }
    }

    /// A narrow drawing is next to the wide one and is hidden until a style sheet shows it.
    @Test(arguments: Gallery.all.map(\.name)) func drawsForANarrowPlace(name: String) throws {
        let chart = try #require(Gallery.all.first { $0.name == name }).chart
        let wide = chart.drawing()
        guard chart.hasNarrowDrawing else {
            #expect(chart.captioned(wide) == wide.captioned)
            return
        }
        let narrow = chart.drawing(.narrow).captioned.text
        let hidden = "<div class=\"chart-narrow\" hidden=\"\">\(narrow)</div>"
        #expect(chart.captioned(wide).text == wide.captioned.text + hidden)
        #expect(narrow.contains("viewBox=\"0 0 360 "))
        for used in narrow.matches(of: /(?:href="|url\()#([^")]+)/).map({ $0.1 }) {
            #expect((wide.captioned.text + narrow).contains("id=\"\(used)\""), "\(used)")
        }
        try expectWellFormed(narrow)
        let ids = wide.captioned.text.matches(of: /id="([^"]+)"/).map { $0.1 }
        #expect(!narrow.matches(of: /id="([^"]+)"/).map { $0.1 }.contains(where: ids.contains))
        guard Gallery.full.contains(where: { $0.name == name }) else { return }
        try expectGolden(narrow, named: "\(name)-narrow.svg")
    }

    @Test func drawsAFileOfItsOwn() throws {
        let markup = Samples.full.trended.drawing().standalone
        #expect(markup.language == .xml)
        try expectGolden(markup.text, named: "line-standalone.svg")
        try expectWellFormed(Samples.spark([0.1]).drawing().standalone.text)
    }

    @Test func drawsTenYearsWithoutAPointForEveryDay() throws {
        let text = Samples.decade.svg().text
        try expectWellFormed(text)
        #expect(text.utf8.count < 80_000)
        #expect(Samples.decade.table.rows.count == 3650)
    }

    @Test func drawsTheLongestDomainAndDatesAtTheEndOfTheCalendar() throws {
        let end = CivilDate(daysSinceEpoch: .max)
        let start = CivilDate(daysSinceEpoch: .min)
        for domain in [
            DateDomain(start, through: end), DateDomain(first: end, count: 40),
            DateDomain(last: start, count: 9),
        ] {
            let chart = LineChart(
                name: "far", title: "Far", unit: .count, domain: domain,
                points: [ChartPoint(end, 4), ChartPoint(start, 5), ChartPoint(domain.first, 1)])
            try expectWellFormed(chart.svg().text)
        }
    }

    @Test(arguments: 0..<60) func drawsWhateverTheNumbers(seed: Int) throws {
        var state = UInt64(seed)
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pool: [Double] = [
            0, -0.0, 1, 0.5, 0.999_999, 1e18, -1e18, 1e19, .nan, .infinity, -.infinity, 1e-300,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 1e15, 1e15 + 0.125, -3, 7, 1e-9,
        ]
        let count = 1 + next(50)
        let points = (0..<next(60)).map { _ in
            ChartPoint(
                today.advanced(by: -next(60)), pool[next(pool.count)],
                interval: Interval(lower: pool[next(pool.count)], upper: pool[next(pool.count)]),
                provisional: next(3) == 0)
        }
        let domain = DateDomain(last: today, count: count)
        for unit in [ChartUnit.rate, .count] {
            let chart = LineChart(
                name: "any", title: "Any", unit: unit, domain: domain, points: points,
                rules: [.target(pool[next(pool.count)])], releases: [ReleaseMark(today, label: "")])
            try expectWellFormed(chart.svg().text)
            #expect(chart.table.rows.count == count)
            let values = points.map { unit == .rate ? $0.value.map { $0 / 2 } : $0.value }
            try expectWellFormed(Sparkline(name: "s", title: "", unit: unit, values: values).svg().text)
        }
        try expectWellFormed(BarChart(name: "b", title: "", domain: domain, points: points).svg().text)
    }

    private func check(_ chart: some Chart, _ name: String) throws {
        let markup = chart.svg()
        #expect(markup.language == .html)
        #expect(markup.text == chart.svg().text)
        try expectWellFormed(markup.text)
        try expectGolden(markup.text, named: "\(name).svg")
        try expectGolden(chart.text(), named: "\(name).txt")
    }
}

/// Parses the drawing as XML and holds it to the rules for all drawings.
func expectWellFormed(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(xmlFault(Array(text.utf8)) == nil, sourceLocation: sourceLocation)
    #expect(
        !text.contains(" style=") && !text.contains("<script") && !text.contains("onload=x>"),
        sourceLocation: sourceLocation)
    let attributes = text.matches(of: /="([^"]*)"/).map { String($0.1) }
    for attribute in attributes where attribute.allSatisfy({ $0.isASCII && !"<>".contains($0) }) {
        #expect(!attribute.contains("nan") && !attribute.contains("inf "), sourceLocation: sourceLocation)
        // How much a narrow drawing presses the shapes of the wide one together is no coordinate.
        let coordinates = attribute.replacing(/scale\(\.\d{4} 1\)/, with: "")
        #expect(
            coordinates.firstMatch(of: /\.\d{3}/) == nil, "\(attribute)", sourceLocation: sourceLocation)
        #expect(
            attribute.firstMatch(of: /-0(?![.\d])/) == nil, "\(attribute)", sourceLocation: sourceLocation)
    }
}
