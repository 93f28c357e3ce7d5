import Diagnostics
import Testing
import Transport

@testable import Providers

struct DecodingFailureTests {
    /// A wire type with one of everything that can fail.
    struct Wire: Decodable {
        var groups: LossyArray<Group>?
        var count: Count?
        var at: WireInstant?
        var day: WireDate?
        var name: WireName?
        var label: WireLabel?
        var need: Need?
        var strict: [Count]?

        struct Group: Decodable, Sendable {
            var totals: Totals
        }

        struct Totals: Decodable, Sendable {
            var sessions: Count

            enum CodingKeys: String, CodingKey {
                case sessions = "sum(session)"
            }
        }

        struct Need: Decodable {
            var sessions: Count
        }
    }

    private func failure(_ json: String) throws -> DecodingFailure? {
        do {
            _ = try ResponseDecoder(provider: "stub", endpoint: "/x").decode(
                Wire.self, from: Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (#"{"count":"12"}"#, #"count: expected a whole number, found "12""#),
        (#"{"count":12.5}"#, "count: expected a whole number, found 12.5"),
        (#"{"count":1e400}"#, "count: expected a whole number, found a number out of range"),
        (
            #"{"count":1180591620717411303424}"#,
            "count: expected a whole number, found 1180591620717411303424"
        ),
        (#"{"count":-3}"#, "count: expected a count, zero or more, found -3"),
        (#"{"count":true}"#, "count: expected a whole number, found true"),
        (#"{"count":[1]}"#, "count: expected a whole number, found a list"),
        (#"{"count":{}}"#, "count: expected a whole number, found an object"),
        (#"{"name":7}"#, "name: expected a text, found 7"),
        (
            #"{"name":"a\ud83d"}"#,
            #"name: expected a text, found half of a surrogate pair"#
        ),
        (
            #"{"label":"\udc00b"}"#,
            #"label: expected a text or a whole number, found half of a surrogate pair"#
        ),
        (#"{"label":[]}"#, "label: expected a text or a whole number, found a list"),
        (#"{"at":"yesterday"}"#, #"at: expected a time such as "2026-11-20T06:00:00Z", found "yesterday""#),
        (#"{"day":"2026-02-30"}"#, #"day: expected a date such as "2026-11-19", found "2026-02-30""#),
        (#"{"need":{"session":1}}"#, "need.sessions: expected a value, found nothing; there is 'session'"),
        (#"{"need":{"zebra":1}}"#, "need.sessions: expected a value, found nothing"),
        (#"{"need":{"sessions":null}}"#, "need.sessions: expected a whole number, found null"),
        (#"{"need":[]}"#, "need: expected an object, found a list"),
        (#"{"groups":{}}"#, "groups: expected a list, found an object"),
        (#"{"strict":[1,null]}"#, "strict[1]: expected a whole number, found null"),
        // Of a repeated key the first counts, and a comma too many is passed over: also where something failed.
        (#"{"count":"a","count":2}"#, #"count: expected a whole number, found "a""#),
        (#"{"strict":[1,null,],}"#, "strict[1]: expected a whole number, found null"),
        (
            #"{"need":{"session":1,"session":2,}}"#,
            "need.sessions: expected a value, found nothing; there is 'session'"
        ),
        ("[]", "expected an object, found a list"),
        ("null", "expected an object, found null"),
        ("12", "expected an object, found 12"),
    ])
    func namesPathExpectedAndFound(json: String, expected: String) throws {
        #expect(try failure(json)?.description == expected)
    }

    @Test(arguments: [
        ("", "empty response"), (" \n", "empty response"),
        ("<!doctype html><title>Sign in</title>", "an HTML page"),
        ("{\n \"count\": 1,\n \"na", "unexpected end at 3:5"),
        ("{\"count\": ", "unexpected end at 1:11"),
        ("{\"count\": tr", "unexpected end at 1:13"),
        ("{\"count\": 12", "unexpected end at 1:13"),
        ("{\"count\":\n NaN}", "unexpected \"NaN}\" at 2:2"),
        ("{\"count\":1}\n}", "unexpected \"}\" at 2:1"),
        ("{'count':1}", "unexpected \"'count':1}\" at 1:2"),
        ("{\"count\" 1}", "unexpected \"1}\" at 1:10"),
        ("{\"count\":-}", "unexpected \"-}\" at 1:10"),
        ("{\"é\":1 \"", "unexpected \"\\\"\" at 1:8"),
    ])
    func reportsWhatCameInsteadOfJSON(text: String, found: String) throws {
        #expect(try failure(text)?.description.hasSuffix("invalid JSON: \(found)") == true)
    }

    @Test func reportsWhereBytesStopBeingUTF8() {
        let bytes = Array("{\"name\":\n \"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8)
        #expect(JSONScan.fault(in: bytes)?.description == "not UTF-8 at 2:3")
        let failure = #expect(throws: DecodingFailure.self) {
            try ResponseDecoder(provider: "stub", endpoint: "/x").decode(Wire.self, from: bytes)
        }
        #expect(failure?.description == "name: invalid JSON: not UTF-8 at 2:3")
    }

    @Test(arguments: [true, false])
    func survivesAHundredThousandLevels(areClosed: Bool) throws {
        let deep =
            String(repeating: "[", count: 100_000) + (areClosed ? String(repeating: "]", count: 100_000) : "")
        #expect(try failure(deep)?.description == "invalid JSON: more than 512 nested levels at 1:513")
        #expect(try failure(#"{"groups":"# + deep + "}")?.description.contains("more than 512") == true)
        let objects = String(repeating: #"{"need":"#, count: 100_000)
        #expect(try failure(objects)?.description.contains("more than 512") == true)
    }

    @Test func readsTheDeepestLevelsThatAreAdmitted() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(
            try failure(#"{"count":"# + deep + "}")?.description
                == "count: expected a whole number, found a list")
    }

    @Test(arguments: [
        (6, nil), (5, "more than 5 keys and values at 1:14"), (4, "more than 4 keys and values at 1:11"),
        (3, "more than 3 keys and values at 1:7"), (2, "more than 2 keys and values at 1:6"),
        (0, "more than 0 keys and values at 1:1"),
    ])
    func readsAsManyValuesAsAreAdmitted(most: Int, found: String?) {
        // An object, its key, a list and its three elements.
        let text = #"{"a":[1, "" ,{}]}"#
        #expect(JSONScan.fault(in: Array(text.utf8), mostTokens: most)?.description == found)
    }

    /// Each of these values takes two bytes of the text, and twelve times that once it is read.
    @Test func aListOfOnesTakesNoMoreThanItMay() {
        #expect(JSONScan.mostTokens == 8_000_000)
        let ones = [UInt8](unsafeUninitializedCapacity: 20 << 20) { bytes, count in
            for place in 0..<(20 << 20) { bytes[place] = UInt8(ascii: place % 2 == 1 ? "1" : ",") }
            bytes[0] = UInt8(ascii: "[")
            count = 20 << 20
        }
        #expect(throws: JSONScan.Fault.tooMany) { try JSONTape(ones) }
    }

    @Test func marksByteOrderAndRepeatedKeysAsHarmless() throws {
        #expect(try failure("\u{FEFF}{\"count\":1}") == nil)
        #expect(try failure(#"{"count":1,"count":2}"#) == nil)
    }

    @Test func hidesSecretsInWhatWasFound() throws {
        let secret = try #require(Secret("s3cr3t-value"))
        let decoder = ResponseDecoder(provider: "stub", endpoint: "/x", redaction: Redaction([secret]))
        do {
            _ = try decoder.decode(Wire.self, from: Array(#"{"count":"your token s3cr3t-value"}"#.utf8))
            Issue.record("decoded")
        } catch {
            #expect(error.description == #"count: expected a whole number, found "your token <redacted>""#)
        }
    }

    @Test func quotesNothingOfABrokenAnswerThatHoldsASecret() throws {
        let secret = try #require(Secret("12-s3cr3t-value"))
        let decoder = ResponseDecoder(provider: "stub", endpoint: "/x", redaction: Redaction([secret]))
        let failure = #expect(throws: DecodingFailure.self) {
            try decoder.decode(Wire.self, from: Array("[12-s3cr3t-value]".utf8))
        }
        #expect(failure?.description == "invalid JSON: unexpected text at 1:2")
    }

    /// There is a file to fix only where the text is one of a file.
    @Test(
        arguments: [
            (.file, #"{"count":"x"}"#, "fix the file"), (.file, "{} x", "fix the file"),
            (.file, "{", "write the whole file"), (.file, "", "check what writes the file"),
            (.service, #"{"count":"x"}"#, "report an API change"),
            (.service, "[]", "check the URL and whether a proxy"),
            (.service, "{} x", "check the URL and whether a proxy"),
            (.service, "\u{1F}\u{8B}", "check the URL and whether"),
            (.service, "{", "fetch again; it was cut off"), (.service, "", "fetch again later"),
            (.query, #"{"count":"x"}"#, "check what the query returns"),
        ] as [(DecodingFailure.Origin, String, String)])
    func hintsAtWhatCanBeDone(origin: DecodingFailure.Origin, text: String, hint: String) {
        let decoder = ResponseDecoder(provider: "stub", endpoint: "/x", origin: origin)
        let failure = #expect(throws: DecodingFailure.self) {
            try decoder.decode(Wire.self, from: Array(text.utf8))
        }
        #expect(failure?.diagnostic.hints.count == 1)
        #expect(
            failure?.diagnostic.hints.first?.hasPrefix(hint) == true, "\(failure?.diagnostic.hints ?? [])")
    }

    @Test func becomesADiagnosticWithItsPlace() throws {
        let failure = try #require(try failure(#"{"need":{"session":1}}"#)).diagnostic
        #expect(failure.id == "decoding.missing-key")
        #expect(failure.location == .keyPath(document: "/x", path: "need.sessions"))
        #expect(failure.hints == ["rename 'session' if it was meant"])
        let cut = try #require(try self.failure("{")).diagnostic
        #expect(cut.location == .file(path: "/x", line: 1, column: 2))
    }
}
