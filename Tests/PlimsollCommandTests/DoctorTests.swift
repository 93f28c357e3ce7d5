import Foundation
import LoopbackServer
import Testing

struct DoctorTests {
    @Test func wellSourcesAreReportedAndNothingIsStored() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let before = try folder.names()
        let run = try await Program.run("doctor", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("✓ ferry from bugsnag (bugsnag)\n    connection: 127.0.0.1:"))
        #expect(run.output.contains("    authorized: yes\n"))
        #expect(run.output.contains("    freshness: data through 2026-11-19 (not over yet), "))
        #expect(run.output.contains("    not provided: "))
        #expect(run.output.hasSuffix("✓ theme, pages and archive\n"))
        #expect(try folder.names() == before)
        #expect(!run.printed.contains(token))
    }

    @Test func aRefusedTokenIsReportedWithItsNextStep() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        let run = try await Program.run("doctor", in: folder, environment: ["QUAY_TOKEN": "another"])
        await server.stop()
        #expect(run.status == 1)
        #expect(run.output.contains("✗ ferry from bugsnag (bugsnag)\n"))
        #expect(run.output.contains("    authorized: refused once\n"))
        #expect(run.errors.contains("  hint: make a new personal auth token in BugSnag under My account"))
    }

    /// What was not tried is neither without a response nor without data.
    @Test func aSourceWithoutItsTokenIsNotTried() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        let text = try await Program.run("doctor", in: folder)
        let json = try await Program.run("doctor", "--format", "json", in: folder)
        await server.stop()
        #expect(text.status == 1 && server.requests.isEmpty)
        #expect(
            text.output.hasPrefix(
                "✗ ferry from bugsnag (bugsnag)\n    not tried: Environment variable QUAY_TOKEN is not set\n✗ buoy"
            ),
            "\(text.output)")
        #expect(json.output.contains("\"cannotKnow\" : [\n\n      ],"), "\(json.output)")
    }

    /// A source that counts the sessions of use lacks those that crashed.
    @Test func sessionsOfUseAreNotSaidToBeMissing() async throws {
        let folder = try Folder()
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-11-20T06:00:00Z
            apps: [{id: buoy, name: Buoy, sources: [{provider: files, path: data}]}]

            """)
        try folder.write(
            "data/buoy/2026-11-19.json",
            """
            {"format": "plimsoll-snapshot", "version": 1, "app": "buoy", "capturedAt": "2026-11-20T05:00:00Z",
             "provides": ["usage"], "usage": [{"date": "2026-11-19", "activeUsers": 9, "sessions": 12}]}
            """)
        let run = try await Program.run("doctor", in: folder)
        #expect(run.output.contains("    not provided: crashed sessions, users"), "\(run.output)")
    }

    /// One count of a pair gives no rate: a note names what would, unless another source of the app has both.
    @Test(
        arguments: [
            (
                "users,crashes\n2026-11-18,900,3", nil,
                "the column 'crashed_users' to the tables of 'a', or 'crashedUsers'"
            ),
            ("crashed_sessions\n2026-11-18,3", nil, "the column 'sessions' to the tables of 'a'"),
            ("users,crashes\n2026-11-18,900,3", "sessions,crashed_sessions\n2026-11-18,900,3", nil),
            ("crashes\n2026-11-18,3", nil, nil), ("users,crash_free_users\n2026-11-18,900,0.99", nil, nil),
        ] as [(String, String?, String?)])
    func whatGivesARateIsNamed(table: String, other: String?, hint: String?) async throws {
        let folder = try Folder()
        let more = other.map { _ in ", {provider: files, id: b, path: b.csv}" } ?? ""
        try folder.write(
            "plimsoll.yml",
            "asOf: 2026-11-19T06:00:00Z\napps: [{id: buoy, sources: [{provider: files, id: a, path: a.csv}\(more)]}]\n"
        )
        for (name, text) in [("a", table), ("b", other ?? "")] {
            try folder.write("\(name).csv", "# capturedAt: 2026-11-19T05:00:00Z\ndate,\(text)\n")
        }
        for command in ["doctor", "run", "check"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 0, "\(command): \(run.printed)")
            let isNoted = hint != nil && command != "run"
            #expect(run.errors.contains("[source.no-rate]") == isNoted, "\(command): \(run.errors)")
            if let hint, isNoted { #expect(run.errors.contains("hint: add \(hint)"), "\(run.errors)") }
        }
    }

    @Test(arguments: [
        (19, "(not over yet)", "(1 h ago)"), (21, "(ended 30 h ago)", "(2 days ago)"),
        (26, "(ended 6 days ago)", "(7 days ago)"),
    ])
    func agesAreInDaysWhereTheyAreLong(day: Int, ended: String, captured: String) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: day))
        try folder.write(
            "data/buoy/2026-11-19.json",
            Quay.snapshot(of: "buoy", day: 19).replacing("2026-11-18\",\"sess", with: "2026-11-19\",\"sess"))
        let run = try await Program.run("doctor", in: folder)
        #expect(
            run.output.contains(
                "data through 2026-11-19 \(ended), captured 2026-11-19T05:00:00Z \(captured)"),
            "\(run.output)")
    }

    @Test func aBrokenThemeIsReported() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", "theme: defalt\napps: []\n")
        let run = try await Program.run("doctor", in: folder)
        #expect(run.status == 1)
        #expect(run.output == "✗ theme, pages and archive\n")
        #expect(run.errors.contains("[theme.missing]"))
        #expect(run.errors.contains("  hint: did you mean 'default'?"))
    }

    @Test func aPlanSendsNothing() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        let run = try await Program.run("fetch", "--plan", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("ferry from bugsnag: at most "))
        #expect(run.output.contains("  GET \(server.origin)/user/organizations"))
        #expect(server.requests.isEmpty)
        #expect(try folder.names() == ["plimsoll.yml"])
        #expect(!run.printed.contains(token))
    }
}
