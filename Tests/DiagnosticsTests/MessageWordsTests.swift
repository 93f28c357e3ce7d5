import Diagnostics
import Testing

struct MessageWordsTests {
    @Test(arguments: [(0, "0 days"), (1, "1 day"), (2, "2 days"), (2200, "2200 days"), (-1, "-1 days")])
    func countsHaveTheirNoun(count: Int, expected: String) {
        #expect(counted(count, "day") == expected)
    }

    @Test func otherPluralsAreGiven() {
        #expect(counted(1, "summary", plural: "summaries") == "1 summary")
        #expect(counted(3, "summary", plural: "summaries") == "3 summaries")
    }

    @Test func firstOfEachKeyStays() {
        #expect([3, 1, 3, 2, 1].uniqued() == [3, 1, 2])
        #expect(["ab", "cd", "a", "efg"].uniqued(by: \.count) == ["ab", "a", "efg"])
        #expect([Int]().uniqued().isEmpty)
    }

    @Test func digitsAreThoseOfASCII() {
        let digits = (UInt8.min...UInt8.max).filter(isHexadecimal)
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
    }

    @Test(arguments: [(UInt8(0), "%00"), (0x0A, "%0A"), (0x20, "%20"), (0xC3, "%C3"), (0xFF, "%FF")])
    func percentCodesHaveTwoCapitalDigits(byte: UInt8, expected: String) {
        #expect(percentCode(of: byte) == expected)
    }

    @Test func failureBecomesAWarning() {
        let failure = Diagnostic.error("copy", "No copy", details: ["no room"], hints: ["free some"])
        let warning = failure.asWarning()
        #expect(warning.severity == .warning && warning.gravity == .shown)
        #expect(failure.asWarning(gravity: .remark).gravity == .remark)
        #expect((warning.id, warning.summary) == ("copy", "No copy"))
        #expect(warning.details == ["no room"] && warning.hints == ["free some"])
    }
}
