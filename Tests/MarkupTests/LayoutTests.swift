import Markup
import Testing

struct LayoutTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｆｕｌｌ", 8), ("한국", 4), ("👍", 2),
        ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🇯🇵", 2), ("❤", 1), ("❤️", 2), ("▁▂█", 3), ("▲ ▼", 3), ("\u{200B}", 0),
        ("“q”", 3), ("…", 1), ("\u{A0}", 1), ("ラ", 2), ("ﾗ", 1),
    ])
    func widthOfText(text: String, columns: Int) {
        #expect(displayWidth(text) == columns, "\(text)")
    }

    private func lines(_ blocks: [Block], _ width: Int?) -> [String] {
        layoutText(blocks, width: width, hasColors: false).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
    }

    @Test(arguments: [
        ("one two three", 20, ["one two three"]),
        ("one two three four five six", 20, ["one two three four", "five six"]),
        ("漢字漢字漢字 漢字漢字漢字", 20, ["漢字漢字漢字", "漢字漢字漢字"]),
        ("abcdefghijklmnopqrstuvwxyz", 20, ["abcdefghijklmnopqrst", "uvwxyz"]),
        ("99.12% is what it was, all", 20, ["99.12% is what it", "was, all"]),
        ("", 20, [""]), ("narrow asks for twenty", 3, ["narrow asks for", "twenty"]),
        ("漢字漢字漢字漢字漢字漢x", 21, ["漢字漢字漢字漢字漢字", "漢x"]),
    ])
    func longLinesAreBrokenAtSpaces(text: String, width: Int, expected: [String]) {
        #expect(lines([.lines([[.text(text)]])], width) == expected)
    }

    private let table = Block.table(
        BlockTable(
            [.init("#", isNumber: true), .init("Name of the issue"), .init("Users", isNumber: true)], name: 1,
            rows: [
                [[.text("1")], [.text("Index out of range in a long place")], [.text("412")]],
                [[.text("2")], [.text("漢字漢字漢字漢字漢字漢字漢字")], [.text("7")]],
            ]))

    @Test func tableIsAlignedByColumnsOfTheTerminal() {
        #expect(
            lines([table], 60) == [
                "#  Name of the issue                   Users",
                "1  Index out of range in a long place    412",
                "2  漢字漢字漢字漢字漢字漢字漢字            7",
            ])
    }

    @Test func namesAreCutBeforeNumbersAre() {
        #expect(
            lines([table], 30) == [
                "#  Name of the issue     Users", "1  Index out of range…     412",
                "2  漢字漢字漢字漢字漢…       7",
            ])
    }

    @Test func narrowTableIsWrittenRowByRow() {
        #expect(
            lines([table], 20) == [
                "Name of the issue:", "1 Index out of range", "  in a long place", "  Users: 412",
                "2", "  漢字漢字漢字漢字漢", "  字漢字漢字", "  Users: 7",
            ])
    }

    @Test(arguments: [20, 31, 40, 80, 120], hostileTexts)
    func noLineIsLongerThanTheTerminal(width: Int, text: String) {
        let blocks: [Block] = [
            .heading([.text(text), .strong(text)], level: 1), .lines([[.text(text + " " + text)]]),
            .list([[.text(text), .link(text, to: "x.html")]]),
            .table(
                BlockTable(
                    [.init(text), .init("N", isNumber: true)],
                    rows: [[[.text(text + text + text)], [.text("1,234")]]])),
            .lines([[.strong(text), .text(" " + String(repeating: "▁", count: 90) + " " + text)]]),
        ]
        for line in lines(blocks, width) { #expect(displayWidth(line) <= width, "\(line)") }
        let whole = layoutText(blocks, width: width, hasColors: true)
        #expect(whole.ranges(of: "\u{1B}").count == whole.ranges(of: /\u{1B}\[[0-9;]+m/).count)
    }

    @Test func colorsEndWithTheirLine() {
        let blocks: [Block] = [.lines([[.text("a "), .strong("bad", .bad), .text(" "), .text("x", .soft)]])]
        #expect(
            layoutText(blocks, width: 80, hasColors: true)
                == "a \u{1B}[0;1;31mbad\u{1B}[0m \u{1B}[0;2mx\u{1B}[0m\n")
        #expect(layoutText(blocks, width: 80, hasColors: false) == "a bad x\n")
    }

    @Test func controlsAreShown() {
        #expect(
            layoutText([.lines([[.text("\u{1B}[2Jx\u{9B}31m\u{202E}y\nz")]])], width: 80, hasColors: true)
                == "\\u{1b}[2Jx\\u{9b}31m\\u{202e}y z\n")
    }

    @Test func tonesFollowTheText() {
        let blocks: [Block] = [
            .lines([[.strong("▼ bad"), .text(" and good")]]), .list([[.text("▼ bad")]]),
            .table(BlockTable([.init("A")], rows: [[[.text("▼ bad")]]])),
        ]
        let colored = layoutText(
            toned(blocks) { $0.hasPrefix("▼ ") ? .bad : .plain }, width: 80, hasColors: true)
        #expect(colored.ranges(of: "▼ bad\u{1B}[0m").count == 3 && !colored.contains("and good\u{1B}"))
        #expect(
            colored.replacing(/\u{1B}\[[0-9;]+m/, with: "")
                == layoutText(blocks, width: 80, hasColors: false))
    }
}

/// Tables that do not fit.
struct NarrowTableTests {
    private let table = Block.table(
        BlockTable(
            [
                .init("#", isNumber: true), .init("Issue"), .init("Users", isNumber: true), .init("By day"),
                .init("State"),
            ],
            name: 1,
            rows: [
                [
                    [.text("1")], [.strong("Crash at start")], [.text("1,234")], [.text("▁▁▂█▁▁▂█▁▁▂█")],
                    [.text("open · rising for a long while now")],
                ]
            ]))

    @Test(arguments: [
        (
            26,
            [
                "Issue:", "1 Crash at start", "  Users: 1,234", "  By day: ▁▁▂█▁▁▂█▁▁▂█",
                "  State: open · rising for", "  a long while now",
            ]
        ),
        (
            50,
            [
                "Issue:", "1 Crash at start", "  Users: 1,234 · By day: ▁▁▂█▁▁▂█▁▁▂█",
                "  State: open · rising for a long while now",
            ]
        ),
    ])
    func aValueStaysWithItsName(width: Int, expected: [String]) {
        let text = layoutText([table], width: width, hasColors: false)
        #expect(text.split(separator: "\n").map(String.init) == expected)
    }

    @Test func weightIsNotInterruptedBetweenWords() {
        let text = layoutText(
            [.lines([[.strong("two words"), .text(" more")]])], width: 40, hasColors: true)
        #expect(text == "\u{1B}[0;1mtwo words\u{1B}[0m more\n")
    }
}
