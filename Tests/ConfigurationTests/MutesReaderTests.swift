import Analysis
import AppHealth
import Configuration
import Diagnostics
import Testing

private let apps = ["harbour", "buoy"].compactMap { Slug($0) }

struct MutesReaderTests {
    @Test func everyKeyIsRead() throws {
        let text = """
            - app: buoy
              kind: newIssue
              issue: 0042
              version: 4.20
              source: files
              until: 2026-12-01
              untilVersion: 4.3
              untilLevel: { users: 200, share: 0.5 }
              by: Ana
              why: "fixed: in 4.3"
            - app: all
              forever: true
              by: Josh
              why: test
            - kind: stability
              untilLevel: { points: 3 }
              by: Josh
              why: test

            """
        let (mutes, problems) = readMutes(text, path: "mutes.yml", apps: apps)
        #expect(problems.isEmpty)
        func place(_ line: Int) -> Location { .file(path: "mutes.yml", line: line, column: 3) }
        #expect(
            mutes == [
                Mute(
                    number: 0,
                    .init(
                        app: Slug("buoy"), kind: .newIssue, issue: "0042", version: "4.20", source: "files"),
                    until: .init(
                        date: CivilDate("2026-12-01"), version: "4.3",
                        level: AlertLevel(users: 200, share: 0.5)),
                    by: "Ana", why: "fixed: in 4.3", at: place(1)),
                Mute(number: 1, .init(), by: "Josh", why: "test", at: place(11)),
                Mute(
                    number: 2, .init(kind: .stability), until: .init(level: AlertLevel(points: 3)),
                    by: "Josh",
                    why: "test", at: place(15)),
            ])
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "[]"]) func nothingIsNoMutes(text: String) {
        let (mutes, problems) = readMutes(text, path: "mutes.yml", apps: apps)
        #expect(mutes.isEmpty && problems.isEmpty)
    }

    /// A share of sessions ends at 100%, a difference from what was expected does not.
    @Test(arguments: [
        ("kind: stability", true), ("kind: usage", true), ("app: all", true), ("kind: velocity", false),
        ("issue: a", false),
    ])
    func theLevelOfADifferenceGoesBeyondOneHundredPercent(subject: String, isTaken: Bool) {
        let text = "- \(subject)\n  untilLevel: {share: 220}\n  by: Ana\n  why: x\n"
        let (mutes, problems) = readMutes(text, path: "mutes.yml", apps: apps)
        #expect(mutes.map(\.end.level) == (isTaken ? [AlertLevel(share: 220)] : []))
        #expect(problems.map(\.id) == (isTaken ? [] : ["yaml.wrong-type"]))
    }

    private static let tail = "\n  forever: true\n  by: Ana\n  why: x\n"

    /// A text with `id line:column hints` of what is wrong.
    @Test(arguments: [
        ("- aap: buoy\n  issue: a" + tail, ["yaml.unknown-key 1:3 did you mean 'app'?"]),
        ("- app: bouy" + tail, ["yaml.unknown-word 1:8 did you mean 'buoy'?"]),
        ("- app: zzz" + tail, ["yaml.unknown-word 1:8 use one of: all, harbour, buoy"]),
        ("- kind: newIsue" + tail, ["yaml.unknown-word 1:9 did you mean 'newIssue'?"]),
        (
            "- by: Ana\n  why: x\n  forever: true\n",
            [
                "config.mute-subject 1:3 add one or more of: app, kind, issue, version, source; 'app: all' is all activity"
            ]
        ),
        (
            "- issue: a\n  by: Ana\n  why: x\n",
            ["config.mute-end 1:3 add one of: until, untilVersion, untilLevel, forever"]
        ),
        (
            "- issue: a\n  until: 2026-12-01" + tail,
            ["config.mute-end 3:12 remove it, or the other end"]
        ),
        (
            "- issue: a\n  forever: false\n  by: Ana\n  why: x\n",
            ["config.mute-end 2:12 remove it, or the other end"]
        ),
        (
            "- issue: a\n  until: 1.12.2026\n  by: Ana\n  why: x\n",
            ["config.bad-date 2:10 write it as 2026-12-01"]
        ),
        (
            "- issue: a\n  until: 2026-02-30\n  by: Ana\n  why: x\n",
            ["config.bad-date 2:10 write it as 2026-12-01"]
        ),
        (
            "- issue: a\n  forever: true\n",
            [
                "config.missing-key 1:3 add 'by': who muted it",
                "config.missing-key 1:3 add 'why': the reason",
            ]
        ),
        ("- issue: a\n  forever: true\n  by: Ana\n  why:\n", ["yaml.wrong-type 4:7 "]),
        (
            "- kind: newNote\n  untilLevel: {users: 3}\n  by: Ana\n  why: x\n",
            ["config.mute-level 2:15 use until, untilVersion or forever"]
        ),
        (
            "- kind: stability\n  untilLevel: {users: 3}\n  by: Ana\n  why: x\n",
            [
                "yaml.unknown-key 2:16 use one of: points, share",
                "config.mute-level 2:15 add one or more of: points, share",
            ]
        ),
        (
            "- issue: a\n  untilLevel: {}\n  by: Ana\n  why: x\n",
            ["config.mute-level 2:15 add one or more of: users, share"]
        ),
        (
            "- issue: a\n  untilLevel: {points: 1}\n  by: Ana\n  why: x\n",
            [
                "yaml.unknown-key 2:16 use one of: users, share",
                "config.mute-level 2:15 add one or more of: users, share",
            ]
        ),
        (
            "- app: all\n  untilLevel: {}\n  by: Ana\n  why: x\n",
            ["config.mute-level 2:15 add one or more of: users, share, points"]
        ),
        ("mutes: []\n", ["yaml.wrong-type 1:1 start each element with '- '"]),
        ("- [a\n", ["yaml.syntax 2:1 check the indentation and the quotes"]),
    ])
    func faultsAreReportedWithTheirPlace(text: String, reported: [String]) {
        let (mutes, problems) = readMutes(text, path: "mutes.yml", apps: apps)
        #expect(mutes.isEmpty)
        #expect(
            problems.map { problem in
                guard case .file("mutes.yml", let line?, let column?) = problem.location else { return "?" }
                return "\(problem.id) \(line):\(column) \(problem.hints.joined(separator: " | "))"
            } == reported)
        #expect(problems.allSatisfy { $0.severity == .error && !$0.summary.hasSuffix(".") })
    }

    /// A kind is called as in the file.
    @Test func kindWithoutLevelsIsNamed() {
        let text = "- kind: newNote\n  untilLevel: {users: 3}\n  by: Ana\n  why: x\n"
        let (_, problems) = readMutes(text, path: "mutes.yml", apps: apps)
        #expect(problems.map(\.summary) == ["'newNote' has no level"])
    }

    @Test func skipsOnlyTheInvalidMute() {
        let (mutes, problems) = readMutes(
            "- issue: a\n- issue: b" + Self.tail, path: "mutes.yml", apps: apps)
        #expect(mutes.map(\.subject.issue) == ["b"])
        #expect(problems.count == 3)
    }
}
