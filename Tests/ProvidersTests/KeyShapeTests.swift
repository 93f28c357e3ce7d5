import Diagnostics
import Testing

@testable import Providers

struct KeyShapeTests {
    @Test func isFoundByType() {
        let shape = KeyShape(of: DecodingFailureTests.Wire.self)
        #expect(shape["groups"].element["totals"] == .object(["sum(session)": .any]))
        #expect(shape["at"] == .any)
        #expect(shape["need"] == .object(["sessions": .any]))
        guard case .object(let members) = shape else { return #expect(Bool(false), "no object") }
        #expect(
            members.keys.sorted() == ["at", "count", "day", "groups", "label", "name", "need", "strict"])
    }

    @Test func scanFindsUnknownAndRepeatedKeys() throws {
        let text = """
            {"count": 1, "cuont": 2,
             "groups": [{"totals": {"x": {"deep": 1}}}, {"totals": {"x": 1}}], "count": 3}
            """
        let bytes = Array(text.utf8)
        let odd = UnexpectedKeySearch.keys(
            in: try JSONTape(bytes), shape: KeyShape(of: DecodingFailureTests.Wire.self))
        let warnings = odd.map { $0.warning(document: "a.json", bytes: bytes) }
        #expect(
            warnings.map(\.summary) == [
                #"Unknown key "cuont" ignored"#,
                #"Unknown key "x" ignored (2×)"#,
                #"Duplicate key "count"; first value used"#,
            ])
        #expect(
            warnings.map { "\($0.location.map(\.description) ?? "")" } == [
                "a.json:1:14", "a.json:2:25", "a.json:2:68",
            ])
        #expect(warnings[0].hints == ["did you mean 'count'?"])
    }
}
