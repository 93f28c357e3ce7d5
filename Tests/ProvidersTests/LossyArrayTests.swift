import Diagnostics
import Testing

@testable import Providers

struct LossyArrayTests {
    private typealias Wire = DecodingFailureTests.Wire

    private func decode(_ json: String) throws -> (Wire, [Diagnostic]) {
        let (value, losses) = try ResponseDecoder(provider: "stub", endpoint: "/x")
            .decode(Wire.self, from: Array(json.utf8))
        return (value, losses.warnings)
    }

    @Test func skipsOnlyTheBadElement() throws {
        let (wire, warnings) = try decode(
            """
            {"groups":[{"totals":{"sum(session)":1}},{"totals":{"sum(session)":"12"}},null,7,{"totals":{}},
            {"totals":{"sum(session)":1e400}},{"totals":{"sum(sessions)":3}},{"totals":{"sum(session)":4}}]}
            """)
        #expect(wire.groups?.items.map(\.index) == [0, 7])
        #expect(wire.groups?.values.map(\.totals.sessions.value) == [1, 4])
        #expect(
            warnings.map(\.summary) == [
                #"stub: groups[1].totals["sum(session)"]: expected a whole number, found "12""#,
                "stub: groups[2]: expected an object, found null",
                "stub: groups[3]: expected an object, found 7",
                #"stub: groups[4].totals["sum(session)"]: expected a value, found nothing"#,
                #"stub: groups[5].totals["sum(session)"]: expected a whole number, found a number out of range"#,
                #"stub: groups[6].totals["sum(session)"]: expected a value, found nothing; there is 'sum(sessions)'"#,
            ])
        #expect(warnings.allSatisfy { $0.severity == .warning })
    }

    @Test func manyBadElementsAreCounted() throws {
        let (wire, warnings) = try decode(
            #"{"groups":["# + Array(repeating: "1", count: 1000).joined(separator: ",") + "]}")
        #expect(wire.groups?.items.isEmpty == true)
        #expect(warnings.count == 21)
        #expect(
            warnings.last?.summary
                == "stub: 980 more values skipped or cut for similar reasons")
    }

    @Test func longTextsAreCutAndNULIsRemoved() throws {
        let (wire, warnings) = try decode(#"{"name":"a\u0000\#(String(repeating: "é", count: 400))"}"#)
        #expect(wire.name?.text == "a" + String(repeating: "é", count: 299) + "…")
        #expect(warnings.map(\.summary) == ["stub: name: text cut after 300 characters"])
        #expect(try decode(#"{"name":"\u0000\#(String(repeating: "é", count: 300))"}"#).1.isEmpty)
    }

    @Test(arguments: [("370", "370"), ("\"370\"", "370"), ("\"\"", nil)])
    func labelsAreTextsOrNumbers(json: String, expected: String?) throws {
        #expect(try decode("{\"label\":\(json)}").0.label?.text == expected)
    }

    @Test(arguments: [("12.0", 12), ("1e3", 1000), ("-0", 0), ("9223372036854775807", Int.max)])
    func wholeNumbersMayBeWrittenInAnyWay(json: String, expected: Int) throws {
        #expect(try decode("{\"count\":\(json)}").0.count?.value == expected)
    }
}
