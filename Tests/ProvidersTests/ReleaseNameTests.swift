import AppHealth
import Foundation
import Testing

@testable import Providers

/// The names of releases as Sentry's SDKs write them: one name is one release, whichever service it comes from.
struct ReleaseNameTests {
    private static let names: [(name: String, label: String, build: String)] = [
        ("com.example.app@4.2.0+1187", "4.2.0", "1187"), ("4.2.0+118", "4.2.0", "118"),
        ("app@1.0+b+7", "1.0+b", "7"), ("app@1.0+", "1.0+", ""), ("app@", "app@", ""),
        ("a@+7", "+7", ""), ("4.2.0", "4.2.0", ""), ("2f5c1e", "2f5c1e", ""),
    ]

    private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test(arguments: names.indices) func areReadAlikeFromEveryService(index: Int) throws {
        let (name, label, build) = Self.names[index]
        let item = #"{"version":"\#(name)","dateCreated":"2026-11-12T06:00:00Z"}"#
        let found = [
            releases([try decoded(SentryReleaseItem.self, item)]),
            glitchtipReleases([try decoded(GlitchtipRelease.self, item)]),
            releases([try decoded(BugsinkRelease.self, item)]),
        ]
        for releases in found {
            #expect(releases.map(\.version) == [Version(label, build: build)])
        }
    }

    /// The newest build with the date of the first one.
    @Test func buildsOfOneVersionAreOneRelease() {
        let (first, second) = (Instant(secondsSinceEpoch: 10), Instant(secondsSinceEpoch: 20))
        let found = releases(of: [
            (Version("4.2.0", build: "360"), second), (Version("4.2.0", build: "359"), first),
            (Version("4.10.0"), nil), (Version("4.2.0", build: "361"), nil),
        ])
        #expect(found.map(\.version) == [Version("4.10.0"), Version("4.2.0", build: "361")])
        #expect(found.map(\.releasedAt) == [nil, first])
    }

    // MARK: Places

    /// The exceptions of an event as `file:line` for each frame, `!` before those of the app's own code, and the place.
    @Test(
        arguments: [
            ([["!A.kt:5"], []], "A.kt:5"), ([["!A.kt:5"], ["!B.kt:7"]], "B.kt:7"),
            ([["!main.kt:1", "!B.kt:8", "lib:2"]], "B.kt:8"), ([["a:1", "lib:2"]], "lib:2"),
            ([["!A.kt:0"]], "A.kt:-"), ([["!:5"]], nil), ([[]], nil), ([], nil),
        ] as [([[String]], String?)])
    func areOfTheLastExceptionWithFrames(exceptions: [[String]], expected: String?) throws {
        func values(_ line: String, _ isInApp: String) -> String {
            let lists = exceptions.map { frames in
                let objects = frames.map { text in
                    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                    let file = parts[0].replacing("!", with: "")
                    return
                        #"{"filename":"\#(file)","\#(line)":\#(parts[1]),"\#(isInApp)":\#(text.hasPrefix("!"))}"#
                }
                return #"{"stacktrace":{"frames":[\#(objects.joined(separator: ","))]}}"#
            }
            return #"{"values":[\#(lists.joined(separator: ","))]}"#
        }
        let bugsink = try decoded(
            BugsinkEvent.self, #"{"data":{"exception":\#(values("lineno", "in_app"))}}"#)
        let sentry = try decoded(
            SentryAPIEvent.self,
            #"{"entries":[{"type":"exception","data":\#(values("lineNo", "inApp"))}]}"#)
        for found in [bugsink.place, place(of: sentry)] {
            #expect(found.map { "\($0.file):\($0.line.map(String.init) ?? "-")" } == expected)
        }
    }
}
