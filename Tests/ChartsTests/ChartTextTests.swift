import AppHealth
import Charts
import Markup
import Statistics
import Testing

struct ChartTextTests {
    /// A browser that shows the text of a page alone shows that of its drawings: their words do not run together.
    @Test func wordsOfADrawingAreOnLinesOfTheirOwn() {
        for sample in Gallery.all {
            #expect(!sample.chart.svg().text.contains("</text><"))
            #expect(!sample.chart.drawing(.narrow).inline.text.contains("</text><"))
        }
    }

    @Test func saysWhatALineShows() {
        let chart = Samples.line([0.99, nil, 0.995, 0.985])
        #expect(
            chart.description == """
                Nov 13–19, 2026: latest 98.50%, first 99.00% (Nov 16), lowest 98.50% (Nov 19), \
                highest 99.50% (Nov 18). 4 days without data (4 missing).
                """)
    }

    /// The release in use has a layer of its own, however large older ones once were.
    @Test func adoptionKeepsTheReleasesInUse() {
        let domain = DateDomain(last: today, count: 8)
        let parts = (0..<8).map { age -> ShareChart.Part in
            // Each is at 90% on its own day; the newest is at 60% so far.
            var counts = [today.advanced(by: -age): 90]
            counts[today] = age == 0 ? 60 : age == 1 ? 30 : 1
            return ShareChart.Part(label: "1.\(7 - age)", counts: counts)
        }
        let wholes = Dictionary(uniqueKeysWithValues: (0..<8).map { (today.advanced(by: -$0), 100) })
        let chart = ShareChart(name: "a", title: "", domain: domain, parts: parts, wholes: wholes)
        #expect(
            chart.description.contains(
                "latest 1.7 60.0%, 1.6 30.0%, 1.5 1.0%, 1.4 1.0%, 1.3 1.0%, Other 7.0%"))
    }

    /// Where all releases are small, the newest in use are shown; a rest is counted, not what rounding leaves.
    @Test func adoptionOfSmallReleasesShowsTheNewest() {
        let domain = DateDomain(last: today, count: 1)
        func chart(_ counts: [Int]) -> ShareChart {
            let parts = counts.enumerated().map { ShareChart.Part(label: "\(9 - $0)", counts: [today: $1]) }
            return ShareChart(
                name: "a", title: "", domain: domain, parts: parts, wholes: [today: counts.reduce(0, +)])
        }
        #expect(
            chart(Array(repeating: 4, count: 25)).description.hasSuffix(
                "latest 9 4.0%, 8 4.0%, 7 4.0%, 6 4.0%, 5 4.0%, Other 80.0%."))
        #expect(chart([60, 36, 4]).description.hasSuffix("latest 9 60.0%, 8 36.0%, Other 4.0%."))
        #expect(chart([50_111, 1]).description.hasSuffix("latest 9 >99.9%."))
        #expect(chart([10, 20, 70]).table.rows[0][1...] == ["10.0%", "20.0%", "70.0%", ""])
    }

    /// A release with days that are too small is not one without data.
    @Test func ageSaysWhyThereIsNoValue() {
        let values = Array(repeating: ChartPoint.Content.absent(.belowMinimum), count: 142)
        let chart = AgeChart(
            name: "a", title: "", unit: .rate, lines: [.init(label: "1.0", values: values)])
        #expect(chart.description == "Too little data on 142 days.")
        let drawn = chart.drawing(.wide).inline.text
        #expect(drawn.contains(">Too little data</text>") && !drawn.contains("No data"))
    }

    /// What a page has found out already is said, not found again.
    @Test(arguments: [
        (SeriesTrend.rising, "Rising over the last 7 days."),
        (.falling, "Falling over the last 7 days."),
        (.flat, "No significant trend in the last 7 days."),
    ])
    func saysTheTrendThatIsGiven(trend: SeriesTrend, sentence: String) {
        let domain = DateDomain(last: today, count: 7)
        let points = [ChartPoint(today, 3)]
        let line = LineChart(
            name: "a", title: "", unit: .count, domain: domain, points: points, trend: trend)
        let bars = BarChart(name: "a", title: "", domain: domain, points: points, trend: trend)
        #expect(line.description.contains(" \(sentence) ") && bars.description.contains(" \(sentence) "))
    }

    @Test func saysThatThereIsNothing() {
        #expect(Samples.line([]).description.contains("no data. 7 days without data (7 missing)."))
        #expect(Samples.spark([]).description == "No data.")
    }

    @Test(
        arguments: [
            ([0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"), ([], ""), ([nil, nil], "··"), ([3, 3], "▄▄"),
            ([1, nil, 2], "▁·█"),
            ([.nan, 1, .infinity, 2], "·▁·█"), ([-1e308, 1e308], "▄▄"), ([-2, -1], "▁█"),
        ] as [([Double?], String)]) func drawsWithGlyphs(values: [Double?], expected: String)
    {
        #expect(sparkText(values) == expected)
    }

    /// In a column that begins with zero, zeros are at the bottom and a steady count is at the top.
    @Test(
        arguments: [
            ([0, 0, nil, 0], "▁▁·▁", "24"), ([50, 50], "██", "4"), ([0, 9], "▁█", "4"),
        ] as [([Double?], String, String)])
    func zerosAreAtTheBottom(values: [Double?], glyphs: String, end: String) {
        let line = Sparkline(name: "a", title: "", unit: .count, values: values, isFromZero: true)
        #expect(line.glyphs == glyphs)
        #expect(line.svg().text.contains(" cy=\"\(end)\""))
    }

    /// A release of the last days, where the name of the last value is at the top of the plot, and where it is at the bottom.
    @Test(arguments: [(1.0, true), (0.9, false)])
    func labelsOfReleasesAreClearOfNames(last: Double, isBefore: Bool) {
        let points = (0..<90).map { back in
            ChartPoint(today.advanced(by: -back), back == 0 ? last : back % 2 == 0 ? 1 : 0.95)
        }
        let chart = LineChart(
            name: "a", title: "", unit: .rate, domain: DateDomain(last: today, count: 90), points: points,
            releases: [ReleaseMark(today.advanced(by: -3), label: "0.2")])
        let text = chart.drawing(.narrow).inline.text
        #expect(text.contains(/<text text-anchor="end" x="[\d.]+" y="[\d.]+">0\.2</) == isBefore)
        #expect(text.contains(/<text x="[\d.]+" y="[\d.]+">0\.2</) != isBefore)
    }

    @Test func drawsGlyphsWithinAGivenDomain() {
        #expect(sparkText([-5, 5, 50], domain: Interval(lower: 0, upper: 10)) == "▁▅█")
    }

    /// An issue or a release may be called what a column of ours is.
    @Test(arguments: [
        ("Total", "“Total”"), ("users", "“users”"), ("- Daily -", "“- Daily -”"), ("Date", "“Date”"),
        ("95% interval", "“95% interval”"), ("4.2.0", "4.2.0"), ("Total loss", "Total loss"),
    ])
    func aNameThatIsAColumnOfOursIsQuoted(name: String, shown: String) {
        let table = RankChart(
            name: "a", title: "", days: [today], lines: [.init(label: name, ranks: [1])]
        ).table
        #expect(table.columns == ["Day", shown])
        #expect(table.csv.hasPrefix("date,\(shown)\r\n"))
    }

    @Test func statesTheNumbersOfADrawing() {
        let table = Samples.full.table
        #expect(table.columns == ["Day", "Rate", "95% interval", "State"])
        #expect(table.rows.count == 90)
        #expect(table.rows.allSatisfy { $0.count == 4 })
        #expect(table.rows[9][1...] == ["–", "–", "Fetch failed"])
        #expect(table.rows[89][3] == "Provisional")
        #expect(Samples.bar([0, nil]).table.rows.map { $0[1] } == ["0", "–"])
    }

    @Test func idsDifferWhereverNamesDiffer() {
        let names = ["a", "a b", "a-b", "a_20b", "A", "é", ""]
        let ids = names.map { name in
            Sparkline(name: name, title: "", unit: .count, values: []).drawing().standalone.text.firstMatch(
                of: /id="([^"]+)-title"/
            )
            .map { String($0.1) }
        }
        #expect(Set(ids).count == names.count)
    }

    @Test(arguments: [
        ("plain", 10, "plain"), ("a\u{0}b\u{7F}c\u{85}", 10, "abc"), ("a\r\nb", 10, "a b"),
        ("abcdef", 4, "abc…"),
        ("\u{202E}x\u{FFFE}", 5, "x"), ("naïve", 5, "naïve"),
    ]) func cleansForeignText(text: String, limit: Int, expected: String) {
        #expect(displayText(text, limit: limit) == expected)
    }

    @Test func domainsAreInOrderWhateverTheOrderOfTheirDays() {
        let domain = DateDomain(today, through: today.advanced(by: -3))
        #expect(domain.first == today.advanced(by: -3) && domain.last == today && domain.count == 4)
        #expect(DateDomain(first: today, count: -4).count == 1)
        #expect(domain.index(of: today.advanced(by: 1)) == nil)
    }

    @Test func takesPointsInAnyOrder() {
        let points = Samples.full.points
        let shuffled = LineChart(
            name: "crash-free-sessions", title: "Crash-free sessions", unit: .rate,
            domain: Samples.full.domain,
            points: points.reversed() + [ChartPoint(today.advanced(by: 5), 0.1)], rules: Samples.full.rules,
            releases: Samples.full.releases.reversed())
        #expect(shuffled.svg() == Samples.full.svg())
    }
}
