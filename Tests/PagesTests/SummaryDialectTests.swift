import Analysis
import AppHealth
import HistoryFixtures
import Markup
import Testing

@testable import Pages

struct SummaryDialectTests {
    private static let writer = SummaryWriter(template: nil)

    /// A day with so many new issues of hostile titles.
    private func document(_ titles: [String]) -> SummaryDocument {
        let issues = titles.enumerated().map { index, title in
            Issue(id: "i\(index)", title: title, firstSeen: .noon(back: 0), events: 9, users: 4)
        }
        let source = SourceHistory.make(
            health: [.make(0, sessions: 9000, users: 1000, crashedUsers: 60)], issues: issues,
            issueDays: issues.enumerated().map { .make($1.id, events: 90 - $0, users: 45 - $0) })
        return SummaryDocument(
            day: lastDay, .make(source), .absolute(base: "https://quay.example"), isDemo: false)
    }

    @Test(arguments: MarkdownDialect.allCases)
    func sameNumbersStandInEachDialect(dialect: MarkdownDialect) {
        let document = document(["one", "two", "three"])
        let text = Self.writer.text(of: document, in: dialect)
        let parts =
            document.sentences.flatMap { $0.matches(of: /[0-9][0-9.,]*/).map { String($0.0) } }
            + document.issues.flatMap { [$0.users, $0.title, $0.state] }
            + [document.verdict.mark, document.verdict.words, document.freshness]
        #expect(parts.count > 12)
        for part in parts { #expect(text.contains(part), "\(part)") }
    }

    @Test(arguments: MarkdownDialect.allCases, [0, 4000, 20_000])
    func neverLongerThanTheLimit(dialect: MarkdownDialect, length: Int) {
        let titles = (0..<10).map { "\($0) " + String(repeating: "*@a <b> ", count: length / 8) }
        let text = Self.writer.text(of: document(titles), in: dialect)
        if let limit = dialect.limit { #expect(text.unicodeScalars.count <= limit) }
        #expect(text.hasSuffix("\n"))
        #expect(text.contains("Freshness: "))
    }

    @Test(arguments: [(MarkdownDialect.github, 1400), (.slack, 1100), (.github, 900)])
    func whatDoesNotFitIsLeftOutWholeAndTold(dialect: MarkdownDialect, limit: Int) throws {
        let document = document((0..<10).map { "Issue number \($0)" })
        let whole = Self.writer.text(of: document, in: dialect, limit: .max, words: "x")
        #expect(whole.utf16.count > limit)
        let text = Self.writer.text(of: document, in: dialect, limit: limit, words: "so much is the most")
        #expect(text.utf16.count <= limit)
        let told = try #require(text.split(separator: "\n").first { $0.contains(" left out: ") })
        #expect(told.hasSuffix(" left out: so much is the most."))
        // Every other line stands in the whole summary as it is, or as a part of the folded list.
        for line in text.split(separator: "\n") where line != told && !line.contains("New:") {
            #expect(whole.contains(line), "\(line)")
        }
    }

    @Test func leastImportantGoesFirst() {
        let document = document(["a", "b", "c"])
        let folded = document.folded.reduce(0) { $0 + $1.issues.count }
        #expect(folded >= 3 && document.entryCount == 3 + folded + document.sentences.count - 1)
        let one = document.withoutEntries(1, because: "why")
        #expect(one.issues.count == 3 && one.folded.reduce(0) { $0 + $1.issues.count } == folded - 1)
        #expect(one.leftOut == "1 entry of an issue was left out: why.")
        let more = document.withoutEntries(folded + 1, because: "why")
        #expect(more.issues.count == 2 && more.folded.isEmpty)
        #expect(more.leftOut == "\(folded + 1) entries of issues were left out: why.")
        let all = document.withoutEntries(document.entryCount, because: "why")
        #expect(all.sentences == [document.sentences[0]] && all.issues.isEmpty)
        #expect(all.leftOut?.hasPrefix("\(folded + 3) entries of issues and ") == true)
        #expect(all.leftOut?.contains(" left out: why.") == true)
        #expect(document.withoutEntries(0, because: "why").leftOut == nil)
    }
}

struct OutlineTests {
    private static let titles = [
        "<script>alert(1)</script>", "\u{1B}[2J\u{7}", "漢字の題名がとても長い漢字の題名がとても長い", "👩‍👩‍👧‍👦 sticker",
        "a very long title of an issue that goes on and on until it does not fit into any line of a terminal",
    ]

    private func report() -> AppAnalysis {
        let issues = Self.titles.enumerated().map {
            Issue(id: "i\($0)", title: $1, firstSeen: .noon(back: 0), events: 9, users: 4)
        }
        return .make(
            .make(
                health: (0..<40).map { .make($0, sessions: 9000, crashed: 40, users: 1000, crashedUsers: 9) },
                releases: [Release(version: Version("1.1", build: "7"), releasedAt: .noon(back: 1))],
                issues: issues, issueDays: issues.map { .make($0.id) }))
    }

    @Test(arguments: [40, 80, 120])
    func pagesKeepToTheTerminal(width: Int) {
        let report = report()
        for blocks in [
            AppPage(report, site: site).blocks, DayPage(lastDay, report, site: site).blocks,
            PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site).blocks,
        ] {
            let text = layoutText(blocks, width: width, hasColours: false)
            for line in text.split(separator: "\n") {
                #expect(displayWidth(String(line)) <= width, "\(line)")
            }
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        }
    }

    @Test func overviewTellsTheNumbersOfThePage() throws {
        let page = AppPage(report(), site: site)
        let text = layoutText(page.blocks, width: 200, hasColours: false)
        for tile in page.tiles {
            for part in [tile.label, tile.value, tile.interval, tile.detail, tile.stateNote].compactMap({ $0 }
            ) {
                #expect(text.contains(part), "\(part)")
            }
        }
        for part in [page.verdict.mark, page.verdict.words, page.verdict.why, page.stability.glyphLine]
            + page.releases.map(\.version) + page.events.map(\.sentence)
        {
            #expect(
                text.contains(part.replacing("\u{1B}", with: "\\u{1b}").replacing("\u{7}", with: "\\u{7}")),
                "\(part)")
        }
        #expect(page.events.allSatisfy { !$0.sentence.isEmpty })
    }

    /// Every view of an event tells it in a sentence.
    @Test func signsStandBesideColours() {
        let text = layoutText(AppPage(report(), site: site).blocks, width: 120, hasColours: true)
        let plain = layoutText(AppPage(report(), site: site).blocks, width: 120, hasColours: false)
        #expect(text.replacing(/\u{1B}\[[0-9;]+m/, with: "") == plain)
        #expect(text != plain)
    }

    @Test func appWithoutSourcesIsShownToo() {
        let report = AppAnalysis.make()
        for blocks in [
            AppPage(report, site: site).blocks, PortfolioPage([], introduction: nil, site: site).blocks,
        ] {
            #expect(!layoutText(blocks, width: 40, hasColours: false).isEmpty)
        }
    }
}
