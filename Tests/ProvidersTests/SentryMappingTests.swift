import AppHealth
import Foundation
import Testing

@testable import Providers

struct SentryMappingTests {
    @Test(arguments: [
        ("com.example.app@4.2.0+1187", "4.2.0", "1187"), ("4.2.0", "4.2.0", ""),
        ("app@4.2.0-beta.1+5", "4.2.0-beta.1", "5"),
        ("app@1.0+", "1.0+", ""), ("app@", "app@", ""), ("@scope/pkg@1.0", "1.0", ""), ("", "", ""),
        ("a@+7", "+7", ""),
        ("17642328ead24b51867165985996d04b29310337", "17642328ead24b51867165985996d04b29310337", ""),
    ])
    func aNameHasLabelAndBuild(name: String, label: String, build: String) {
        #expect(sentryVersion(name) == Version(label, build: build))
    }

    @Test(arguments: [
        (#"{"version":{"raw":"4.2.0+1187","buildCode":"1187"}}"#, "4.2.0", "1187"),
        (#"{"version":{"raw":"4.2.0 (7)","buildCode":null}}"#, "4.2.0 (7)", ""),
        (#"{"version":{}}"#, "9", "8"), (#"{"version":null}"#, "9", "8"),
        (#"{"version":{"raw":""}}"#, "9", "8"),
        (#"{"version":{"raw":"4.2","buildCode":7}}"#, "4.2", "7"), (#"{"version":"4"}"#, "9", "8"),
    ])
    func whatTheServiceReadGoesFirst(info: String, label: String, build: String) throws {
        let info = try JSONDecoder().decode(SentryVersionInfo.self, from: Data(info.utf8))
        #expect(sentryVersion("app@9+8", info: info) == Version(label, build: build))
    }

    private func answer(_ intervals: [String], end: String) throws -> SentrySessions {
        let list = intervals.map { "\"\($0)\"" }.joined(separator: ",")
        let text = #"{"end":"\#(end)","intervals":[\#(list)],"groups":[]}"#
        return try JSONDecoder().decode(SentrySessions.self, from: Data(text.utf8))
    }

    @Test(arguments: [
        (["2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"], "2026-11-20T00:00:00Z", 2, 0),
        (["2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"], "2026-11-19T23:59:59Z", 2, 0),
        (["2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"], "2026-11-19T14:31:00Z", 1, 0),
        (["2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"], "2026-11-20T06:01:00Z", 1, 0),
        // A server may say that the day is over when it is not.
        (["2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"], "2026-11-21T00:00:00Z", 1, 0),
        (["2026-11-18T07:00:00Z", "2026-11-19T07:00:00Z"], "2026-11-20T07:00:00Z", 0, 2),
        (["2026-11-18T00:00:00Z", "2026-11-18T01:00:00Z"], "2026-11-18T02:00:00Z", 0, 2),
        (["2026-11-18T00:00:00Z", "2026-11-18T00:00:00Z"], "2026-11-20T00:00:00Z", 1, 1),
        ([], "2026-11-20T00:00:00Z", 0, 0),
    ])
    func onlyWholeDaysCount(intervals: [String], end: String, days: Int, losses count: Int) throws {
        var losses = SkippedValues(provider: "sentry", endpoint: "sessions")
        let found = wholeDays(of: try answer(intervals, end: end), at: runTime, losses: &losses)
        #expect(found.count == days)
        #expect(losses.warnings.count == count)
    }

    @Test(arguments: [
        ("[900]", "[0.98666666666666669]", 900, 12), ("[900]", "[1]", 900, 0), ("[900]", "[0]", 900, 900),
        ("[3]", "[0.99999999999]", 3, 0), ("[900]", "[null]", 900, nil), ("[900]", "[98.6]", 900, nil),
        ("[900]", "[-0.1]", 900, nil), ("[0]", "[null]", nil, nil), ("[null]", "[0.5]", nil, nil),
        (#"["9"]"#, "[0.5]", nil, nil),
        ("[9007199254740993]", "[0.5]", 9_007_199_254_740_993, 4_503_599_627_370_496),
    ])
    func crashedUsersAreTakenFromTheRate(users: String, rate: String, expected: Int?, crashed: Int?) throws {
        let text = """
            {"end":"2026-11-20T00:00:00Z","intervals":["2026-11-19T00:00:00Z"],"groups":[{"by":{},"series":{
            "sum(session)":[1000],"count_unique(user)":\(users),"crash_free_rate(user)":\(rate)}}]}
            """
        let answer = try JSONDecoder().decode(SentrySessions.self, from: Data(text.utf8))
        var losses = SkippedValues(provider: "sentry", endpoint: "sessions")
        let days = wholeDays(of: answer, at: runTime, losses: &losses)
        let counts = userCounts(of: answer, on: days, losses: &losses)[""]?.values.first
        #expect(counts == UserCounts(sessions: 1000, users: expected, crashed: crashed))
    }

    @Test func sumsBeyondEveryNumberAreUnknown() throws {
        let group = { (status: String) in
            #"{"by":{"session.status":"\#(status)"},"series":{"sum(session)":[9223372036854775807]}}"#
        }
        let text = """
            {"end":"2026-11-20T00:00:00Z","intervals":["2026-11-19T00:00:00Z"],
            "groups":[\(group("healthy")),\(group("crashed"))]}
            """
        let answer = try JSONDecoder().decode(SentrySessions.self, from: Data(text.utf8))
        var losses = SkippedValues(provider: "sentry", endpoint: "sessions")
        let days = wholeDays(of: answer, at: runTime, losses: &losses)
        #expect(sessionCounts(of: answer, on: days, losses: &losses)?[""] == [:])
    }
}
