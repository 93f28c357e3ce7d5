import AppHealth
import Foundation
import LoopbackServer
import Testing

/// What a target gets when a night was missed, when data came late, and when a source was away.
struct AttachMissedTests {
    /// A morning of November 2026 on which the program ran.
    struct Night: Sendable {
        var day: Int
        /// The crashed of 10,000 users by day of the month; of other days there are 50.
        var crashed: [Int: Int] = [:]
        /// Whether the folder of the source is not there.
        var fails = false
        /// The first day of the release 2.0; that of 2.1, which few use, is the day before the morning.
        var newReleaseSince: Int?
        /// The crashed of 10,000 users of 2.0 on each day.
        var newCrashed = 500
        /// Whether drops of the rate are muted, or verdicts where these are sent.
        var isMuted = false
        /// How long what is muted is.
        var muteEnd = "forever: true"
        /// What the configuration says of alerts.
        var alerts: String?
        /// Who reads the site, and with it the targets.
        var audience: String?
        /// Whether a message names earlier summaries that were not sent; nil where that is not checked.
        var namesMissed: Bool?
        /// The name of the app.
        var name = "Buoy"
        /// How many messages say that they correct another; nil where that is not checked.
        var corrections: Int?
        /// What the targets `old` and `new` got; `new` is configured on the last night.
        var old: [String] = []
        var new: [String] = []
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var when = "attention"
        let nights: [Night]
    }

    static let rows = [
        Row(
            testDescription: "a missed night, and the alert of the day before it",
            nights: [
                Night(day: 17), Night(day: 20, crashed: [18: 400], old: ["2026-11-18"]),
                // The alert lasts: the new target, which had nothing yet, gets the newest day.
                Night(day: 21, crashed: [18: 400], new: ["2026-11-20"]),
            ]),
        Row(
            testDescription: "a small alert, and all crash from the next day on",
            nights: [
                Night(day: 18), Night(day: 19, crashed: [18: 150], corrections: 0, old: ["2026-11-18"]),
                Night(
                    day: 20, crashed: [18: 150, 19: 9900], corrections: 0, old: ["2026-11-19"]),
                Night(day: 21, crashed: [18: 150, 19: 9900, 20: 9900]),
                Night(day: 22, crashed: [18: 150, 19: 9900, 20: 9900, 21: 9900], new: ["2026-11-21"]),
            ]),
        Row(
            testDescription: "the same nights, missed",
            nights: [
                Night(day: 18),
                Night(
                    day: 22, crashed: [18: 150, 19: 9900, 20: 9900, 21: 9900], corrections: 0,
                    old: ["2026-11-18", "2026-11-19"], new: ["2026-11-21"]),
            ]),
        Row(
            testDescription: "an alert of which late data show that it became worse",
            nights: [
                Night(day: 19, crashed: [18: 150], old: ["2026-11-18"]),
                Night(day: 22, crashed: [18: 150, 19: 160, 20: 160, 21: 160]),
                Night(
                    day: 23, crashed: [18: 150, 19: 160, 20: 900, 21: 900, 22: 900], corrections: 0,
                    old: ["2026-11-20"]),
                Night(
                    day: 24, crashed: [18: 150, 19: 160, 20: 900, 21: 900, 22: 900, 23: 900],
                    new: ["2026-11-23"]),
            ]),
        Row(
            testDescription: "late data",
            nights: [
                Night(day: 19),
                Night(day: 20, crashed: [18: 400], old: ["2026-11-18"], new: ["2026-11-19"]),
            ]),
        Row(
            testDescription: "a source that fails, and comes back with an alert of the days between",
            nights: [
                Night(day: 17), Night(day: 18, fails: true, old: ["2026-11-17"]),
                Night(day: 19, fails: true),
                // That it is back is a correction of the day that reported it.
                Night(
                    day: 21, crashed: [19: 400], old: ["2026-11-17", "2026-11-19"], new: ["2026-11-20"]),
            ]),
        Row(
            testDescription: "a source that fails in the first night of a target",
            nights: [
                Night(day: 17), Night(day: 18, fails: true, old: ["2026-11-17"], new: ["2026-11-17"]),
            ]),
        Row(
            testDescription: "an alert that was sent, and that data take back days later",
            nights: [
                Night(day: 19, crashed: [18: 400], old: ["2026-11-18"]), Night(day: 20, crashed: [18: 400]),
                Night(day: 23, crashed: [18: 400]), Night(day: 24, old: ["2026-11-18"]), Night(day: 25),
            ]),
        Row(
            testDescription: "an alert that is muted once it was sent, and then no more",
            nights: [
                Night(day: 19, crashed: [18: 400], old: ["2026-11-18"]),
                Night(day: 20, crashed: [18: 400], isMuted: true),
                Night(day: 21, crashed: [18: 400], new: ["2026-11-20"]),
            ]),
        Row(
            testDescription: "an alert whose kind is turned off once it was sent, and then on again",
            nights: [
                Night(day: 19, crashed: [18: 400], old: ["2026-11-18"]),
                Night(day: 20, crashed: [18: 400], alerts: "{stability: false}"),
                Night(day: 21, crashed: [18: 400], alerts: "{stability: {leastPoints: 20}}"),
                Night(day: 22, crashed: [18: 400]), Night(day: 23, old: ["2026-11-18"]), Night(day: 24),
            ]),
        Row(
            testDescription: "an alert that was sent, that data take back for other readers",
            nights: [
                Night(day: 19, crashed: [18: 400], old: ["2026-11-18"]),
                Night(day: 20, crashed: [18: 400], audience: "public"),
                Night(day: 21, audience: "public", corrections: 1, old: ["2026-11-18"]),
                Night(day: 22, crashed: [21: 400], audience: "public", old: ["2026-11-21"]),
                Night(day: 23, crashed: [21: 400]), Night(day: 24, crashed: [21: 400], new: ["2026-11-23"]),
            ]),
        Row(
            testDescription: "days for other readers", when: "daily",
            nights: [Night(day: 19, old: ["2026-11-18"])]
                + (20...23).map { Night(day: $0, audience: "public", old: ["2026-11-\($0 - 1)"]) }
                + [Night(day: 24, namesMissed: false, old: ["2026-11-23"], new: ["2026-11-23"])]),
        Row(
            testDescription: "an alert of before the target",
            nights: [
                // It may go on.
                Night(day: 20, crashed: [17: 400], old: ["2026-11-19"]), Night(day: 21, crashed: [17: 400]),
            ]),
        Row(
            testDescription: "a day that came a night late, day by day", when: "daily",
            nights: [
                Night(day: 20, old: ["2026-11-19"]),
                Night(day: 22, old: ["2026-11-20", "2026-11-21"], new: ["2026-11-21"]),
            ]),
        Row(
            testDescription: "more missed nights than are sent one by one", when: "daily",
            nights: [
                Night(day: 17, old: ["2026-11-16"]),
                Night(day: 21, old: ["2026-11-20"], new: ["2026-11-20"]),
            ]),
        Row(
            testDescription: "a source that fails and comes back, day by day", when: "daily",
            nights: [
                Night(day: 17, old: ["2026-11-16"]), Night(day: 18, fails: true, old: ["2026-11-17"]),
                Night(day: 19, fails: true),
                Night(
                    day: 21, old: ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"],
                    new: ["2026-11-20"]),
            ]),
        Row(
            testDescription: "a missed Monday", when: "weekly",
            nights: [
                Night(day: 10, old: ["2026-W45"]),
                Night(day: 24, old: ["2026-W46", "2026-W47"], new: ["2026-W47"]),
            ]),
        Row(
            testDescription: "a week that was sent, and that late data change once the next one is over",
            when: "weekly",
            nights: [
                Night(day: 17, old: ["2026-W46"]),
                Night(
                    day: 24, crashed: [11: 900, 12: 900, 13: 900], old: ["2026-W46", "2026-W47"]),
                Night(day: 25, crashed: [11: 900, 12: 900, 13: 900], new: ["2026-W47"]),
            ]),
        Row(
            testDescription: "a week whose alert is muted once it was sent, and whose app is renamed",
            when: "weekly",
            nights: [
                Night(day: 24, crashed: [18: 400], old: ["2026-W47"]),
                Night(day: 25, crashed: [18: 400], isMuted: true),
                Night(day: 26, crashed: [18: 400], name: "Buoy Pro", new: ["2026-W47"]),
            ]),
        Row(
            testDescription: "a week whose alert is turned off once it was sent, and other readers",
            when: "weekly",
            nights: [
                Night(day: 24, crashed: [18: 400], old: ["2026-W47"]),
                Night(day: 25, crashed: [18: 400], alerts: "{stability: false}"),
                Night(day: 26, crashed: [18: 400], audience: "public"),
                Night(day: 27, crashed: [18: 400], new: ["2026-W47"]),
            ]),
        Row(
            testDescription: "a verdict for other readers", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]), Night(day: 13, audience: "public"),
                Night(day: 14, new: ["1.0"]),
            ]),
        Row(
            testDescription: "a verdict on the release before the newest", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]), Night(day: 20, newReleaseSince: 13, old: ["2.0"]),
                Night(day: 21, newReleaseSince: 13),
            ]),
        Row(
            testDescription: "a verdict that is muted, and then turned off, and then shown", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]), Night(day: 20, newReleaseSince: 13, isMuted: true),
                Night(day: 21, newReleaseSince: 13, alerts: "{releaseVerdict: false}"),
                Night(day: 22, newReleaseSince: 13, isMuted: true, audience: "public"),
                Night(day: 23, newReleaseSince: 13, old: ["2.0"]),
                Night(day: 24, newReleaseSince: 13, isMuted: true),
            ]),
        Row(
            testDescription: "a verdict whose mute is over", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]),
                Night(day: 20, newReleaseSince: 13, isMuted: true, muteEnd: "until: 2026-11-22"),
                Night(
                    day: 23, newReleaseSince: 13, isMuted: true, muteEnd: "until: 2026-11-22", old: ["2.0"]),
            ]),
        Row(
            testDescription: "a verdict where alerts alone are shown", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]),
                Night(day: 20, newReleaseSince: 13, alerts: "{show: alerts}", old: ["2.0"]),
            ]),
        Row(
            testDescription: "a verdict that revised data take back", when: "verdict",
            nights: [
                Night(day: 12, old: ["1.0"]),
                Night(day: 20, newReleaseSince: 13, newCrashed: 10, old: ["2.0"]),
                Night(day: 21, newReleaseSince: 13, newCrashed: 100, corrections: 1, old: ["2.0"]),
                Night(day: 22, newReleaseSince: 13, newCrashed: 100),
            ]),
    ]

    @Test(arguments: rows)
    func whatNoRunTriedIsSentByTheRunThatFindsIt(row: Row) async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try Folder()
        for (number, night) in row.nights.enumerated() {
            let targets = number == row.nights.count - 1 ? ["old", "new"] : ["old"]
            try folder.write("plimsoll.yml", configuration(night, targets, when: row.when))
            if !night.fails {
                try folder.write("data/buoy-\(Quay.padded(night.day)).json", snapshot(night))
            }
            let kind = row.when == "verdict" ? "releaseVerdict" : "stability"
            let mute = "- {app: buoy, kind: \(kind), \(night.muteEnd), by: Ana, why: a test}\n"
            try folder.write("Content/mutes.yml", night.isMuted ? mute : "[]\n")
            let sent = server.requests.count
            let run = try await Program.run(
                "run", in: folder,
                environment: ["CHAT_URL": server.origin + "/hooks", "no_proxy": "127.0.0.1"])
            #expect(run.status == (night.fails ? 1 : 0), "\(run.printed)")
            let got = run.output.matches(of: /\+ (?:buoy )?(\S+): attached/).map { String($0.1) }
            #expect(got == night.old + (targets.count > 1 ? night.new : []), "\(night.day): \(run.printed)")
            if let corrections = night.corrections {
                let texts = server.requests.dropFirst(sent).map(\.text)
                #expect(texts.count { $0.contains("Correction: ") } == corrections, "\(night.day)")
            }
            if let namesMissed = night.namesMissed {
                let texts = server.requests.dropFirst(sent).map(\.text)
                #expect(texts.contains { $0.contains("not sent") } == namesMissed, "\(night.day)")
            }
            #expect(
                server.requests.dropFirst(sent).contains { $0.text.contains("Couldn't fetch 'files'") }
                    == night.old.contains("2026-11-17"))
        }
        await server.stop()
    }

    /// A message whose answer was lost is named by each run after it, and sent alone on request.
    @Test func whatMayHaveArrivedIsNamedAndSentAlone() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try FaultServer.start { $0.number == 2 ? [] : [.text(answer), .stall] }
        let folder = try Folder()
        let next =
            "look there; if it is missing, send it with 'plimsoll attach --to old --app buoy --day 2026-11-19 --again'"
        let unknown = "  ? buoy 2026-11-19: unknown whether it arrived; \(next)\n"
        let rows: [(day: Int, arguments: [String], sent: [String], status: Int32, isUnknown: Bool)] = [
            (19, ["run"], ["2026-11-18"], 0, false), (20, ["run"], [], 5, false),
            (21, ["run"], ["2026-11-20"], 0, true), (21, ["attach", "--dry-run"], [], 0, true),
            (21, ["attach", "--again"], ["2026-11-19"], 0, false),
            (21, ["attach", "--again"], [], 0, false), (22, ["run"], ["2026-11-21"], 0, false),
        ]
        for (number, row) in rows.enumerated() {
            let night = Night(day: row.day)
            try folder.write("plimsoll.yml", configuration(night, ["old"], when: "daily"))
            try folder.write("data/buoy-\(Quay.padded(row.day)).json", try snapshot(night))
            let run = try await Program.run(
                Program.path, row.arguments, in: folder.path,
                environment: [
                    "CHAT_URL": server.origin + "/hooks", "no_proxy": "127.0.0.1", "HOME": folder.path,
                ])
            #expect(run.status == row.status, "\(number): \(run.printed)")
            let got = run.output.matches(of: /\+ buoy (\S+): attached/).map { String($0.1) }
            #expect(got == row.sent, "\(number): \(run.printed)")
            #expect(run.output.contains(unknown) == row.isUnknown, "\(number): \(run.printed)")
            if row.status == 5 {
                #expect(run.errors.contains("unknown whether the summary of buoy 2026-11-19 arrived"))
                #expect(run.output.contains("  ✗ buoy 2026-11-19: failed\n"), "\(run.output)")
                #expect(run.errors.contains("hint: \(next)"), "\(run.errors)")
            }
        }
        #expect(server.connectionCount == 5)
    }

    /// In a project of one app, to name it is no restriction: its week is the same message.
    @Test func theWeekOfTheOnlyAppIsSentOnce() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let (folder, night) = (try Folder(), Night(day: 24))
        try folder.write("plimsoll.yml", configuration(night, ["old"], when: "weekly"))
        try folder.write("data/buoy-24.json", try snapshot(night))
        let names = ["CHAT_URL": server.origin + "/hooks", "no_proxy": "127.0.0.1"]
        let run = try await Program.run("run", in: folder, environment: names)
        #expect(run.output.contains("  + 2026-W47: attached"), "\(run.printed)")
        let again = try await Program.run("attach", "--app", "buoy", in: folder, environment: names)
        #expect(again.status == 0 && again.output.contains("1 up to date"), "\(again.printed)")
        #expect(server.requests.count == 1)
        await server.stop()
    }

    /// The file of a step is new with each run: it shows what was missed, and the newest day.
    @Test func aStepShowsTheAlertsOfMissedNights() async throws {
        let folder = try Folder()
        for (day, shown) in [(10, []), (20, ["2026-11-13", "2026-11-18"]), (21, [])] as [(Int, [String])] {
            let night = Night(day: day, crashed: [13: 400, 18: 400])
            try folder.write(
                "plimsoll.yml",
                configuration(night, [], when: "attention") + "  - {to: github-step, when: attention}\n")
            try folder.write("data/buoy-\(Quay.padded(day)).json", try snapshot(night))
            try folder.write("step-\(day).md", "")
            let run = try await Program.run(
                "run", in: folder, environment: ["GITHUB_STEP_SUMMARY": "\(folder.path)/step-\(day).md"])
            #expect(run.status == 0, "\(run.printed)")
            let regions = folder.text("step-\(day).md").matches(of: /release=(\S+)/).map { String($0.1) }
            #expect(regions == shown, "\(day): \(run.printed)")
        }
    }

    /// What has room for one day keeps the newest that asked for attention, as it is now and for the readers of now; a day
    /// that was attached by hand is there until the next run.
    @Test func aFileKeepsTheNewestAlertAsItIsNow() async throws {
        let folder = try Folder()
        func expectDay(_ day: String) async throws {
            let summary = try await Program.run("summary", "--app", "buoy", "--day", day, in: folder)
            let text = summary.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(summary.status == 0 && folder.text("days.md").contains(text), "\(day): \(text)")
        }
        let nights = [
            Night(day: 19, crashed: [18: 400]), Night(day: 20), Night(day: 21),
            Night(day: 22, audience: "public"),
        ]
        for night in nights {
            try folder.write(
                "plimsoll.yml",
                configuration(night, [], when: "attention")
                    + "  - {to: github-step, file: days.md, when: attention}\n")
            if night.day == 21 {
                let old = try await Program.run("attach", "--day", "2026-11-10", in: folder)
                #expect(old.status == 0, "\(old.printed)")
                try await expectDay("2026-11-10")
            }
            try folder.write("data/buoy-\(night.day).json", try snapshot(night))
            let run = try await Program.run("run", in: folder)
            #expect(run.status == 0, "\(run.printed)")
            try await expectDay("2026-11-18")
            let again = try await Program.run("attach", in: folder)
            #expect(again.output.contains("1 up to date"), "\(again.printed)")
        }
    }

    /// A message cannot be changed: that the team's are where others read now is said once, and nothing is sent again.
    @Test func whatTheTeamGotIsNamedOnce() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try Folder()
        let rows = [(19, "team", false), (20, "public", true), (21, "public", false), (22, "team", false)]
        for (day, audience, isNamed) in rows {
            let night = Night(day: day, crashed: [18: 400], audience: audience)
            try folder.write("plimsoll.yml", configuration(night, ["old"], when: "attention"))
            try folder.write("data/buoy-\(day).json", try snapshot(night))
            let run = try await Program.run(
                "run", in: folder,
                environment: ["CHAT_URL": server.origin + "/hooks", "no_proxy": "127.0.0.1"])
            #expect(run.status == 0, "\(run.printed)")
            let lines = [
                "1 earlier summary for the team remains at Slack (127.0.0.1) [attach.audience]",
                "not changed: buoy 2026-11-18",
                "hint: delete them there if the readers of 'old' may not see all of it",
            ]
            for line in lines { #expect(run.errors.contains(line) == isNamed, "\(day): \(run.printed)") }
        }
        #expect(server.requests.count == 1)
        await server.stop()
    }

    private func configuration(_ night: Night, _ targets: [String], when: String) -> String {
        let places = targets.map {
            "  - {to: slack, id: \($0), url: '${CHAT_URL}', when: \(when)}"
        }
        return """
            title: Quay
            asOf: 2026-11-\(Quay.padded(night.day))T06:00:00Z
            audience: \(night.audience ?? "team")
            alerts: \(night.alerts ?? "{show: everything}")
            apps:
              - id: buoy
                name: \(night.name)
                sources: [{provider: files, path: \(night.fails ? "gone" : "data")}]
            attach:
            \(places.joined(separator: "\n"))

            """
    }

    /// Sixty days to the day before the morning.
    private func snapshot(_ night: Night) throws -> String {
        let morning = try #require(CivilDate("2026-11-\(Quay.padded(night.day))"))
        let health = (1...60).reversed().flatMap { back -> [String] in
            let date = morning.advanced(by: -back)
            let isNew = night.newReleaseSince.map { date.description >= "2026-11-\(Quay.padded($0))" } == true
            let place = date.description.hasPrefix("2026-11-") ? Int(date.description.suffix(2)) : nil
            let crashed = isNew ? night.newCrashed : place.flatMap { night.crashed[$0] } ?? 50
            func row(_ version: String, _ users: Int, _ crashed: Int) -> String {
                #"{"date":"\#(date)"\#(version),"sessions":\#(users * 2),"crashedSessions":\#(crashed),"users":\#(users),"crashedUsers":\#(crashed)}"#
            }
            let isNewest = isNew && back == 1
            return [
                row("", 10_000, crashed),
                row(#","release":"\#(isNew ? "2.0" : "1.0")""#, isNewest ? 9_990 : 10_000, crashed),
            ] + (isNewest ? [row(#","release":"2.1""#, 10, 0)] : [])
        }
        let versions = night.newReleaseSince == nil ? ["1.0"] : ["2.1", "2.0", "1.0"]
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy",
            "capturedAt":"2026-11-\(Quay.padded(night.day))T05:00:00Z",
            "provides":["sessions","users","releases","releaseHealth"],
            "releases":[\(versions.map { #"{"version":"\#($0)"}"# }.joined(separator: ","))],"health":[\(health.joined(separator: ",\n"))]}
            """
    }
}
