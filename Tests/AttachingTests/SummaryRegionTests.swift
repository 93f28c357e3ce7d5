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
}
