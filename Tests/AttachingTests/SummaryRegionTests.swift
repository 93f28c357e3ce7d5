import Diagnostics
import Testing

@testable import Attaching

/// The region of a summary within a text of others.
struct SummaryRegionTests {
    private let region = SummaryRegion(app: "lamp", release: "4.3.0")

    private func written(_ text: String) -> String { region.text(text) }

    /// What is around the region stays byte for byte, whatever its line ends.
    @Test(arguments: [
        ("", "", ""), ("Notes", "Notes\n\n", ""), ("Notes\n", "Notes\n\n", ""),
        ("Notes\r\n\r\nMore\r\n", "Notes\r\n\r\nMore\r\n\r\n", ""),
        (
            "A\n<!-- plimsoll:begin app=lamp release=4.3.0 sha=0 -->\nold\n<!-- plimsoll:end -->\n\nB ",
            "A\n", "\n\nB "
        ),
        (
            "A\r\n<!-- plimsoll:begin app=lamp release=4.3.0 sha=0 -->\r\nold\r\n<!-- plimsoll:end -->\r\nB\r\n",
            "A\r\n", "\r\nB\r\n"
        ),
        (
            "<!-- plimsoll:begin app=buoy release=1 sha=0 -->\nx\n<!-- plimsoll:end -->",
            "<!-- plimsoll:begin app=buoy release=1 sha=0 -->\nx\n<!-- plimsoll:end -->\n\n", ""
        ),
        ("\u{FEFF}é\u{301}\n", "\u{FEFF}é\u{301}\n\n", ""),
    ])
    func leavesTheRestAsItIs(body: String, before: String, after: String) throws {
        let lineEnd = body.contains("\r\n") ? "\r\n" : "\n"
        let placed = try region.placed("New **text**\n\nend\n", in: body)
        let middle = region.text("New **text**\n\nend", lineEnd: lineEnd)
        #expect(Array(placed.utf8) == Array((before + middle + after).utf8))
        #expect(
            try region.placed("New **text**\n\nend", in: placed) == placed, "the second time changes nothing")
        #expect(try region.current(in: placed) == middle)
    }

    @Test func marksNameTheAppAndTheReleaseAndAreNotEndedByThem() {
        #expect(
            written("text").hasPrefix("<!-- plimsoll:begin app=lamp release=4.3.0 sha=")
                && written("text").hasSuffix(" -->\ntext\n<!-- plimsoll:end -->"))
        let odd = SummaryRegion(app: "a", release: "1 --> <x>").text("t")
        #expect(odd.hasPrefix("<!-- plimsoll:begin app=a release=1_-__"), "\(odd)")
        #expect(odd.split(separator: "\n").count == 3)
    }

    /// Markdown has no line end but a line feed: what a title has in its place begins no line of a summary.
    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}"])
    func aSeparatorInATitleEndsNoLine(separator: String) throws {
        let text = "| [a\(separator)# b](x) | 50 |\nc"
        #expect(written(text).hasSuffix(" -->\n\(text)\n<!-- plimsoll:end -->"))
        let placed = try region.placed(text, in: "Notes")
        #expect(try region.placed(text, in: placed) == placed)
        #expect(try region.kept(in: placed) == [])
        let comment = MarkedComment(mark: "<!-- mark -->")
        #expect(comment.text(text).hasPrefix("<!-- mark -->\n\(text)\n<!-- "))
        #expect(comment.parts(of: comment.text(text))?.within == LinesOfOthers.none)
    }

    /// A title may hold our own mark.
    @Test func marksInTheSummaryAreNoMarks() throws {
        let placed = try region.placed("a <!-- plimsoll:end --> b", in: "Notes")
        #expect(try region.placed("c", in: placed) == "Notes\n\n" + written("c"))
    }

    @Test(arguments: [
        "<!-- plimsoll:begin app=lamp release=1 sha=0 -->\nopen",
        "<!-- plimsoll:end -->",
        "<!-- plimsoll:begin app=lamp release=1 sha=0 --> <!-- plimsoll:begin app=lamp release=1 sha=0 --> <!-- plimsoll:end -->",
        "<!-- plimsoll:begin app=lamp release=1 sha=0 --><!-- plimsoll:end --><!-- plimsoll:begin app=lamp release=1 sha=0 --><!-- plimsoll:end -->",
        "<!-- plimsoll:begin app=buoy release=1 sha=0 -->",
    ])
    func refusesDamagedMarks(body: String) {
        #expect(throws: SummaryRegion.Fault.self) { try region.placed("text", in: body) }
    }

    /// What people wrote between the marks goes behind them, once; line ends and white space at ends are no edit.
    @Test(
        arguments: [
            ("x", "x", ""), ("\n", "\r\n", ""), ("two  ", "two", ""), ("one\n", "one \t\n", ""),
            ("two", "\n\ntwo", ""), ("two", "**JP**\nnot yet\n\ntwo", "\n\n**JP**\nnot yet"),
            ("\n<!-- plimsoll:end", "\n\nNote\n<!-- plimsoll:end", "\n\nNote"),
            (" -->\n### H", " -->Note\n### H", "\n\nNote"),
        ])
    func keepsWhatPeopleWroteBetweenTheMarks(old: String, new: String, kept: String) throws {
        let body = "A\n\n" + written("### H\n\none\ntwo  \nx") + "\nB"
        let edited = body.replacing(old, with: new)
        let placed = try region.placed("Go.", in: edited)
        let plain = placed.replacing("\r\n", with: "\n")
        #expect(plain == "A\n\n" + written("Go.") + kept + "\nB")
        #expect(try region.placed("Go.", in: placed) == placed)
    }

    /// Where lines of the summary were changed, all of it is kept, unless it was made for other readers.
    @Test func keepsAnEditedSummary() throws {
        let body = written("### H\n\n98.1%").replacing("98.1%", with: "98.1% (see INC-1)") + "\nB"
        let placed = try region.placed("Go.", in: body)
        #expect(placed.hasPrefix(written("Go.") + "\n\n<details><summary>Earlier summary, edited by hand"))
        #expect(placed.contains("\n### H\n\n98.1% (see INC-1)\n\n</details>\nB"))
        #expect(try region.placed("Go.", in: placed) == placed)
        var other = region
        other.keepsMixed = false
        #expect(throws: SummaryRegion.Fault.edited) { try other.placed("Go.", in: body) }
        #expect(SummaryRegion.Fault.edited.diagnostic(at: "release v1").summary.contains("release v1"))
    }

    /// A text may have regions of several targets; that of an older version is the first target's.
    @Test func eachTargetHasItsRegion() throws {
        func region(_ target: String) -> SummaryRegion {
            SummaryRegion(app: "lamp", release: "4.3.0", target: target)
        }
        let first = try region("day").placed("day", in: "A\n\n" + written("old"))
        #expect(first == "A\n\n" + region("day").text("day"))
        let both = try region("ver").placed("ver", in: first)
        #expect(both == first + "\n\n" + region("ver").text("ver"))
        #expect(try region("day").placed("day", in: both) == both)
        #expect(throws: SummaryRegion.Fault.several) { try region("day").placed("x", in: both + first) }
    }

    /// Each hint leads to one summary.
    @Test(arguments: [
        (SummaryRegion.Fault.unclosed, "put '<!-- plimsoll:end -->' back"),
        (.unopened, "remove the summary above"), (.several, "with the text between their marks"),
    ])
    func damagedMarksHaveAWayOut(fault: SummaryRegion.Fault, hint: String) {
        let hints = fault.diagnostic(at: "x").hints
        #expect(hints.count == 1 && hints[0].contains(hint) && hints[0].hasSuffix("and attach again"))
    }
}
