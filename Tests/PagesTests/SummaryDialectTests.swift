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
        return daySummary(of: lastDay, .make(source), .absolute(base: "https://quay.example"), isDemo: false)
    }

    @Test(arguments: MarkdownDialect.allCases)
    func sameNumbersAreInEachDialect(dialect: MarkdownDialect) {
        let document = document(["one", "two", "three"])
        let text = Self.writer.text(of: document, in: dialect)
        let parts =
            document.sentences.flatMap { $0.matches(of: /[0-9][0-9.,]*/).map { String($0.0) } }
            + document.issues.flatMap { [$0.users, $0.title] }
            + [document.verdict.mark, document.verdict.words, document.freshness]
        #expect(parts.count > 12)
        // What a service would take for the name of a picture is parted by a space without width.
        let words = text.replacing("\u{200B}", with: "")
        for part in parts { #expect(words.contains(part), "\(part)") }
    }

    @Test(arguments: MarkdownDialect.allCases, [0, 4000, 20_000])
    func neverLongerThanTheLimit(dialect: MarkdownDialect, length: Int) {
        let titles = (0..<10).map { "\($0) " + String(repeating: "*@a <b> ", count: length / 8) }
        let text = Self.writer.text(of: document(titles), in: dialect)
        if let limit = dialect.limit { #expect(text.unicodeScalars.count <= limit) }
        #expect(text.hasSuffix("\n"))
        #expect(text.contains("Data as of "))
    }

    @Test(arguments: [(MarkdownDialect.github, 1400), (.slack, 1100), (.github, 900)])
    func whatDoesNotFitIsSkippedWholeAndReported(dialect: MarkdownDialect, limit: Int) throws {
        let document = document((0..<10).map { "Issue number \($0)" })
        let whole = Self.writer.text(of: document, in: dialect, limit: .max, because: "x")
        #expect(whole.utf16.count > limit)
        let text = Self.writer.text(of: document, in: dialect, limit: limit, because: "so much is the most")
        #expect(text.utf16.count <= limit)
        let reported = try #require(text.split(separator: "\n").first { $0.contains(" skipped: ") })
        #expect(reported.hasSuffix(" skipped: so much is the most."))
        // Every other line is in the whole summary as it is, or as a part of the folded list.
        for line in text.split(separator: "\n") where line != reported && !line.contains("New:") {
            #expect(whole.contains(line), "\(line)")
        }
    }

    /// A note with a paragraph, a list, a table and code, as each dialect writes it.
    @Test(arguments: [
        (
            MarkdownDialect.github,
            """
            - **Ada**, Wed, Jan 27, 2016, 12:00 UTC: First \\*line\\*.

              - a
              - b

              | Name | Users |
              |---|--:|
              | c | 3 |

              ```
              x

                y
              ```
            """
        ),
        (
            .commonmark,
            """
            - **Ada**, Wed, Jan 27, 2016, 12:00 UTC: First \\*line\\*.

              - a
              - b

              **Name:**

              - c — Users: 3

              ```
              x

                y
              ```
            """
        ),
        (
            .plain,
            """
            • Ada, Wed, Jan 27, 2016, 12:00 UTC: First *line*.

              • a
              • b

              Name  Users
              c         3

                  x

                    y
            """
        ),
        (
            .slack,
            """
            • *Ada*, Wed, Jan 27, 2016, 12:00 UTC: First *line*.
                • a
                • b
                *Name:*
                • c — Users: 3
                ```
                x
               \u{20}
                  y
                ```
            """
        ),
    ])
    func notesKeepTheirBlocks(dialect: MarkdownDialect, expected: String) {
        let text = """
            First
            \\*line\\*.

            * *a*
            * [b](http://quay.example)

            | Name | Users |
            |---|--:|
            | c | 3 |

            ```
            x

              y
            ```
            """
        let note = Note(id: "1", at: .noon(back: 0), author: "Ada", text: text, subject: .day(lastDay))
        let report = AppAnalysis.make(.make(health: [.make(0)], notes: [note]))
        let summary = daySummary(of: lastDay, report, .absolute(base: "https://quay.example"), isDemo: false)
        let written = Self.writer.text(of: summary, in: dialect).replacing("\u{200B}", with: "")
        #expect(written.contains(expected), "\(written)")
    }
}
