import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct FilesProviderTests {
    private func fetch(_ place: String, _ id: String = "sketchbook", most: Int? = nil) async throws
        -> FetchOutcome
    {
        var configuration = try FilesConfiguration(place)
        if let most { configuration.mostBytes = most }
        return await FilesProvider(configuration, sender: client()).fetch(app(id), at: runTime)
    }

    @Test func readsADirectoryInTheOrderOfCapture() async throws {
        let outcome = try await fetch(fixture("files/good"))
        #expect(outcome.failures.isEmpty)
        #expect(outcome.diagnostics.isEmpty)
        #expect(outcome.requests == 3)
        #expect(
            outcome.snapshots.map(\.capturedAt.description) == [
                "2026-11-19T06:00:00Z", "2026-11-20T06:00:00Z",
            ])
        let last = try #require(outcome.snapshots.last)
        #expect(last.source.capabilities == Set(Capability.allCases))
        #expect(last.source.zone == "Europe/Lisbon")
        #expect(last.source.delay == "Harbour telemetry: complete six hours after midnight")
        #expect(last.source.issueTotals == .days(28) && last.source.countsSteadyShare)
        #expect(last.health.count == 3)
        #expect(last.health[2].version == "4.2.1")
        #expect(last.health[2].crashedUsers == nil)
        #expect(last.usage.first?.monthlyActiveUsers == 140_000)
        #expect(last.releases.map(\.version.description) == ["4.2.1 (370)", "4.2.0 (360)"])
        #expect(last.issues.map(\.kind) == [.crash, .hang])
        #expect(last.issues.map(\.state) == [.open, .muted])
        #expect(last.issues.first?.place == CodePlace(file: "Sources/Atomic.swift", line: 54))
        #expect(last.issues.first?.fixedIn == Version("4.2.2", build: "371"))
        #expect(last.issueDays.map(\.version) == ["4.2.1", nil])
        #expect(last.healthHours.map(\.hour.description) == ["2026-11-20T04:00:00Z", "2026-11-20T05:00:00Z"])
        #expect(last.healthHours.map(\.crashedSessions) == [12, nil])
        #expect(last.issueHours.map(\.events) == [9, 0])
        #expect(last.issueHours.map(\.users) == [8, nil])
        #expect(last.notes.map(\.subject) == [.issue("atomic-54"), .release("4.2.1"), .app])
    }

    @Test func readsOneFileAndAFolderOfAnApp() async throws {
        #expect(try await fetch(fixture("files/good/sketchbook-2026-11-20.json")).snapshots.count == 1)
        let tidepool = try await fetch(fixture("files/good"), "tidepool")
        #expect(tidepool.snapshots.map(\.source.capabilities) == [[.sessions]])
        #expect(tidepool.snapshots.map(\.source.countsSteadyShare) == [false])
    }

    @Test func anUnreadableFileIsAFailureOfItsTime() async throws {
        let outcome = try await fetch(fixture("files/broken"))
        #expect(outcome.snapshots.map(\.capturedAt.description) == ["2026-11-18T06:00:00Z"])
        #expect(outcome.failures.map(\.at.description) == ["2026-11-19T00:00:00Z", "2026-11-20T06:00:00Z"])
        #expect(
            outcome.failures.map(\.why.summary) == [
                "files: invalid JSON: unexpected end at 6:21",
                "files: version: expected 1, the version that is read, found 2",
            ])
        #expect(
            outcome.failures.first?.why.location.map { "\($0)".hasSuffix("sketchbook-2026-11-19.json:6:21") }
                == true)
        #expect(outcome.warnings.map(\.summary) == ["files: expected an object, found a list"])
        #expect(outcome.attempts.map { $0.failure == nil } == [true, false, false])
    }

    @Test func anUnreadableFileOfAnotherAppIsNotReported() async throws {
        let outcome = try await fetch(fixture("files/broken"), "tidepool")
        #expect(outcome.warnings.map { $0.location.map { "\($0)".hasSuffix("stray.json") } } == [true])
        #expect(outcome.failures.map(\.why.id) == ["files.nothing"])
    }

    /// A folder of one app need not name it in the paths: a file of a night that broke off is a failure of that app. Where
    /// other apps are in the folder too, whose it is is not known.
    @Test(arguments: [false, true]) func aFileThatBreaksOffIsAFailureInAFolderOfOneApp(isShared: Bool)
        async throws
    {
        try await withTemporaryDirectory { directory in
            let good = try String(
                contentsOf: URL(fileURLWithPath: fixture("files/good/sketchbook-2026-11-19.json")),
                encoding: .utf8)
            try good.write(toFile: "\(directory)/2026-11-19.json", atomically: false, encoding: .utf8)
            try String(good.prefix(400)).write(
                toFile: "\(directory)/2026-11-20.json", atomically: false, encoding: .utf8)
            try "{".write(toFile: "\(directory)/package.json", atomically: false, encoding: .utf8)
            if isShared {
                try good.replacing("sketchbook", with: "tidepool").write(
                    toFile: "\(directory)/2026-11-18.json", atomically: false, encoding: .utf8)
            }
            let outcome = try await fetch(directory)
            #expect(outcome.snapshots.count == 1)
            #expect(outcome.failures.map(\.at.description) == (isShared ? [] : ["2026-11-20T00:00:00Z"]))
            #expect(outcome.warnings.count == (isShared ? 2 : 1))
        }
    }

    @Test func skipsOnlyOddEntries() async throws {
        let outcome = try await fetch(fixture("files/odd"))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.sessions, .issues])
        #expect(snapshot.health.map(\.date.description) == ["2026-11-19", "2026-11-17"])
        #expect(snapshot.health.map(\.crashedSessions) == [nil, nil])
        #expect(snapshot.issues.map(\.id) == ["b"])
        #expect(snapshot.issues.first?.title == "yz")
        #expect(snapshot.issues.first?.url == nil)
        #expect(snapshot.issueDays.count == 1)
        #expect(snapshot.notes.map(\.subject) == [.issue("b")])
        let reported = snapshot.warnings.map { $0.summary.replacing("files: ", with: "") }
        #expect(
            reported == [
                #"health[0].sessions: expected a whole number, found "12""#,
                "health[2].sessions: expected a count, zero or more, found -1",
                #"health[3].date: expected a date such as "2026-11-19", found "2026-13-01""#,
                "health[4].date: expected a value, found nothing",
                "health[7]: expected an object, found null",
                "health[8].sessions: expected a whole number, found 12.5",
                #"issues[1].days[1].date: expected a date such as "2026-11-19", found "x""#,
                #"notes[0].at: expected a time such as "2026-11-20T06:00:00Z", found "yesterday""#,
                "provides[1]: expected one of sessions, users, releaseHealth, releases, issues, issueDays, hours, usage, "
                    + #"notes, found "user"; perhaps users was meant"#,
                "health[1].crashedSessions: expected at most the 10 sessions of that day, found 11, "
                    + "which counts as unknown",
                "health[6]: expected one entry for a day and a release, found another one",
                #"issues[0].kind: expected one of crash, hang, error, found "crsh"; perhaps crash was meant"#,
                "issues[1].url: expected an address that begins with https:// or http://, "
                    + #"found "javascript:alert(1)""#,
                "issues[2].id: expected one entry for an issue, found another one",
                #"issues[3].id: expected an id, found """#,
                "notes[1].release: expected nothing next to an issue, found a release",
                "provides: expected notes, for 'notes' is given, found none of it",
                #"Unknown key "helth" ignored"#,
                #"Unknown key "crashedSesions" ignored"#,
            ])
    }

    /// A producer that counts those who are named writes 0 users next to what they did.
    @Test(arguments: [(0, 4, nil), (0, 0, 0), (3, 4, 3), (3, 0, 3)] as [(Int, Int, Int?)])
    func noUserNextToWhatUsersDidIsUnknown(users: Int, acts: Int, known: Int?) async throws {
        let day = #""date": "2026-11-19""#
        let counts = #""events": \#(acts), "users": \#(users)"#
        let text = #"""
            {"format": "plimsoll-snapshot", "version": 1, "app": "buoy", "capturedAt": "2026-11-20T06:00:00Z",
             "provides": ["sessions", "users", "releaseHealth", "usage", "issues", "issueDays", "hours"],
             "health": [{\#(day), "sessions": \#(acts), "users": \#(users), "crashedUsers": 0},
                {\#(day), "release": "1.0", "crashes": \#(acts), "users": \#(users), "crashedUsers": 0}],
             "usage": [{\#(day), "sessions": \#(acts), "activeUsers": \#(users), "newUsers": 0}],
             "issues": [{"id": "a", "title": "A", \#(counts), "days": [{\#(day), \#(counts)}],
                "hours": [{"hour": "2026-11-19T04:00:00Z", \#(counts)}]}]}
            """#
        try await withTemporaryDirectory { directory in
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/2026-11-20.json"))
            let snapshot = try #require(try await fetch(directory, "buoy").snapshots.first)
            #expect(snapshot.warnings.isEmpty)
            #expect(snapshot.health.map(\.users) == [known, known])
            #expect(snapshot.health.map(\.crashedUsers) == (known == nil ? [nil, nil] : [0, 0]))
            #expect(snapshot.usage.map(\.activeUsers) == [known])
            #expect(snapshot.usage.map(\.newUsers) == (known == nil ? [nil] : [0]))
            #expect(snapshot.issues.map(\.users) == [known])
            #expect(snapshot.issueDays.map(\.users) == [known])
            #expect(snapshot.issueHours.map(\.users) == [known])
        }
    }

    /// A day of all releases that is skipped is no missing one: the hint would be to add what is there.
    @Test(arguments: [("320", 1), (#""many""#, 1), ("30", 0)])
    func aSkippedDayOfAllReleasesIsReportedAlone(crashed: String, skipped: Int) async throws {
        let text = #"""
            {"format": "plimsoll-snapshot", "version": 1, "app": "buoy", "capturedAt": "2026-11-20T06:00:00Z",
             "provides": ["sessions", "users", "releaseHealth"],
             "health": [{"date": "2026-11-18", "sessions": 300, "crashedSessions": \#(crashed)},
                        {"date": "2026-11-18", "release": "1.0", "users": 8}]}
            """#
        try await withTemporaryDirectory { directory in
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/2026-11-20.json"))
            let snapshot = try #require(try await fetch(directory, "buoy").snapshots.first)
            #expect(snapshot.warnings.count == skipped, "\(snapshot.warnings)")
            #expect(!snapshot.warnings.contains { $0.id == "files.totals" })
        }
    }

    /// Sessions of releases are added up where all are known; users are not, and a day of them needs one of all together.
    @Test(arguments: [(#""users": 8"#, ["files.totals"]), (#""sessions": 8"#, [])])
    func daysOfReleasesAloneAreReported(counts: String, warnings: [String]) async throws {
        let text = #"""
            {"format": "plimsoll-snapshot", "version": 1, "app": "buoy", "capturedAt": "2026-11-20T06:00:00Z",
             "provides": ["sessions", "users", "releaseHealth"],
             "health": [{"date": "2026-11-18", "release": "1.0", \#(counts)}]}
            """#
        try await withTemporaryDirectory { directory in
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/2026-11-20.json"))
            let snapshot = try #require(try await fetch(directory, "buoy").snapshots.first)
            #expect(snapshot.warnings.map(\.id) == warnings)
        }
    }

    /// A folder whose files are called by what is in them says for which apps they are taken.
    @Test func filesThatAreTakenForOtherAppsAreNamed() async throws {
        try await withTemporaryDirectory { directory in
            for name in ["installs", "crashes"] {
                try "date,crashes\n2026-11-19,5\n".write(
                    toFile: "\(directory)/\(name)-2026-11-20.csv", atomically: false, encoding: .utf8)
            }
            let why = try await fetch(directory, "deck").failures.map(\.why)
            #expect(why.map(\.id) == ["files.nothing"])
            #expect(
                why.first?.details == [
                    "taken for the app 'crashes' by name: crashes-2026-11-20.csv",
                    "taken for the app 'installs' by name: installs-2026-11-20.csv",
                ])
            #expect(
                why.first?.hints == [
                    "begin the names of its files with 'deck-', or write '# app: deck' as the first line of its tables"
                ])
        }
    }

    /// Programs on Windows write endings in capitals.
    @Test(arguments: ["REPORT.CSV", "report.Csv"]) func anEndingMayBeInCapitals(name: String) async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/\(name)"
            try "date,crashes\n2026-11-19,5\n".write(toFile: path, atomically: false, encoding: .utf8)
            for place in [directory, path] {
                let outcome = try await fetch(place)
                #expect(outcome.failures.isEmpty)
                #expect(outcome.snapshots.flatMap(\.health).map(\.crashes) == [5])
            }
        }
    }

    /// A folder with nothing to read says what there is.
    @Test func filesThatAreNoneByTheirNamesAreNamed() async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: "\(directory)/deck/dt=1", withIntermediateDirectories: true)
            for name in ["REPORT.xlsx", "deck/dt=1/000.csv", "r.csv.zst", "z.txt", ".hidden"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            let why = try await fetch(directory, "deck").failures.map(\.why)
            #expect(why.map(\.id) == ["files.nothing"])
            #expect(why.first?.details == ["not read by their names: REPORT.xlsx, deck/dt=1/, r.csv.zst"])
            #expect(
                why.first?.hints == [
                    "write its files as .json, .csv or .tsv, compressed with gzip (.gz) or not"
                ])
        }
    }

    /// A file of another kind says so, whatever its name.
    @Test(arguments: ["r.csv.zst", "r.csv", "r.json"]) func aFileOfAnotherKindIsReported(name: String)
        async throws
    {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/\(name)"
            try Data([0x28, 0xB5, 0x2F, 0xFD, 0, 1, 2]).write(to: URL(fileURLWithPath: path))
            let why = try await fetch(path).failures.map(\.why)
            #expect(why.map(\.id) == ["files.kind"])
            #expect(why.first?.summary.contains("is compressed with Zstandard, which is not read") == true)
        }
    }

    /// A file that was cut is there: it is to be written again, and none is missing.
    @Test(arguments: [false, true]) func aCutGzipFileIsNoMissingOne(isNamed: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let bytes = gzipped(Array("date,crashes\n2026-11-19,5\n".utf8))
            let name = isNamed ? "deck.csv.gz" : "report.csv.gz"
            try Data(bytes.dropLast(6)).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            let outcome = try await fetch(directory, "deck")
            let cut = (isNamed ? outcome.failures.map(\.why) : outcome.warnings)
            #expect(cut.map(\.id) == ["files.cut"])
            #expect(cut.first?.hints == ["write it whole under another name, then rename it"])
            if isNamed { return }
            let why = outcome.failures.map(\.why)
            #expect(why.map(\.summary) == ["files: no readable file for the app 'deck'"])
            #expect(why.first?.details.first?.hasPrefix("not readable: files: the gzip file ends") == true)
            #expect(why.first?.hints == ["correct the files that cannot be read, or write them again"])
        }
    }

    #if os(Linux)
        /// The bytes of a name may be those of any encoding.
        @Test(arguments: ["sketchbook", ""]) func aFileWithANameThatIsNoTextIsReported(inner: String)
            async throws
        {
            let folder = NSTemporaryDirectory() + "files-names-" + UUID().uuidString
            let place = inner.isEmpty ? folder : "\(folder)/\(inner)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let good =
                #"{"format":"plimsoll-snapshot","version":1,"app":"sketchbook","capturedAt":"2026-11-19T06:00:00Z","provides":[]}"#
            try Data(good.utf8).write(to: URL(fileURLWithPath: "\(place)/2026-11-19.json"))
            let name = Array("\(place)/f".utf8) + [0xFC] + Array("r-2026-11-20.json".utf8) + [0]
            let made = name.map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
                fopen($0.baseAddress!, "w")
            }
            fclose(made)
            let outcome = try await fetch(folder)
            #expect(outcome.snapshots.count == 1)
            let problems = outcome.failures.map(\.why) + outcome.warnings
            #expect(problems.map(\.id) == ["file.name"], "\(problems)")
            #expect(problems.first?.summary.contains(#"/f\xfcr-2026-11-20.json'"#) == true, "\(problems)")
        }
    #endif

    @Test func nothingToReadIsAFailureNow() async throws {
        let missing = try await fetch("/nowhere/at/all")
        #expect(missing.failures.map(\.why.id) == ["files.missing"])
        #expect(missing.failures.map(\.at) == [runTime])
        let other = try await fetch(fixture("files/good"), "sketchbok")
        #expect(other.failures.map(\.why.id) == ["files.nothing"])
        #expect(other.failures.first?.why.hints == ["use 'sketchbook' as the app's id if that was meant"])
        let wrong = try await fetch(fixture("files/good/tidepool/2026-11-20.json"))
        #expect(
            wrong.failures.map(\.why.summary)
                == [#"files: app: expected "sketchbook", the app of this source, found "tidepool""#])
    }

    @Test func linksThatLeadOutHiddenFilesAndOtherKindsArePassedOver() async throws {
        try await withTemporaryDirectory { directory in
            let files = FileManager.default
            let good = try Data(
                contentsOf: URL(fileURLWithPath: fixture("files/good/sketchbook-2026-11-20.json")))
            let inside = "\(directory)/in"
            try files.createDirectory(
                atPath: "\(inside)/sketchbook/deeper", withIntermediateDirectories: true)
            try files.createDirectory(atPath: "\(inside)/folder.json", withIntermediateDirectories: true)
            for path in [
                "out.json", "in/.hidden.json", "in/sketchbook/deeper/a.json", "in/note.txt", "in/a b%é.json",
            ] {
                try good.write(to: URL(fileURLWithPath: "\(directory)/\(path)"))
            }
            try files.createSymbolicLink(atPath: "\(inside)/link.json", withDestinationPath: "../out.json")
            try files.createSymbolicLink(atPath: "\(inside)/up", withDestinationPath: "..")
            try files.createSymbolicLink(atPath: "\(inside)/z.json", withDestinationPath: "a b%é.json")
            try files.createSymbolicLink(atPath: "\(inside)/gone.json", withDestinationPath: "nothing")
            let entries = try SnapshotFolder(inside).entries()
            #expect(entries.map(\.relative) == ["a b%é.json", "z.json"])
            let outcome = try await fetch(inside)
            #expect(outcome.snapshots.count == 2)
            #expect(outcome.failures.isEmpty)
        }
    }

    @Test func aFileLargerThanTheLimitIsAFailureOfItsTime() async throws {
        let outcome = try await fetch(fixture("files/good"), most: 900)
        #expect(outcome.failures.map(\.why.id) == ["transport.too-large"])
        #expect(outcome.failures.map(\.at.description) == ["2026-11-20T00:00:00Z"])
        #expect(outcome.snapshots.count == 1)
    }

    /// The time that a configuration gives is no clock's.
    @Test(arguments: [
        (false, "is ahead of the clock, 1970-01-01T00:00:00Z", "fix the clock"),
        (true, "is after 1970-01-01T00:00:00Z, the time that 'asOf' sets", "remove 'asOf'"),
    ])
    func whatIsAheadNamesWhoGivesTheTime(isGiven: Bool, summary: String, hint: String) async throws {
        var configuration = try FilesConfiguration(fixture("files/good"))
        configuration.isTimeGiven = isGiven
        let provider = FilesProvider(configuration, sender: client())
        let outcome = await provider.fetch(app("tidepool"), at: Instant(secondsSinceEpoch: 0))
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "files.future" && why.summary.hasSuffix(summary), "\(why.summary)")
        #expect(why.hints.count == 1 && why.hints[0].hasPrefix(hint), "\(why.hints)")
    }

    @Test(arguments: [(0, ["files.future"]), (3600, []), (3601, ["files.future"])])
    func whatIsAheadOfTheClockIsSetAside(secondsAhead: Int, ids: [String]) async throws {
        let provider = FilesProvider(try FilesConfiguration(fixture("files/good")), sender: client())
        let captured = try #require(
            await provider.fetch(app("tidepool"), at: runTime).snapshots.first?.capturedAt)
        let now =
            secondsAhead == 0
            ? Instant(secondsSinceEpoch: 0)
            : Instant(secondsSinceEpoch: captured.secondsSinceEpoch - secondsAhead)
        let outcome = await provider.fetch(app("tidepool"), at: now)
        #expect(outcome.failures.map(\.why.id) == ids)
        #expect(outcome.snapshots.isEmpty == !ids.isEmpty)
    }

    @Test(arguments: [(0, []), (40, []), (46, ["files.stale"]), (365, ["files.stale"])])
    func theSameFilesLaterAreStale(days: Int, ids: [String]) async throws {
        let provider = FilesProvider(try FilesConfiguration(fixture("files/good")), sender: client())
        let captured = try #require(
            await provider.fetch(app("tidepool"), at: runTime).snapshots.first?.capturedAt)
        let outcome = await provider.fetch(
            app("tidepool"), at: Instant(secondsSinceEpoch: captured.secondsSinceEpoch + days * 86_400))
        #expect(outcome.failures.map(\.why.id) == ids)
    }

    /// Nothing counts a day before it begins, whatever a table says; zeros for days to come are placeholders.
    @Test(arguments: [
        ("", "2026-11-17,5", [], []), ("", "2026-11-26,77777", ["2026-11-26"], []),
        ("", "2062-11-27,5", ["2062-11-27"], []), ("", "2026-11-26,0", [], []),
        ("", "2026-11-26,", [], []), ("", "2026-11-21,5", ["2026-11-21"], []),
        ("# zone: Pacific/Auckland\n", "2026-11-21,5", [], ["2026-11-21"]),
        ("# zone: America/New_York\n", "2026-11-21,5", ["2026-11-21"], []),
    ])
    func aDayToComeIsSkipped(zone: String, row: String, reported: [String], more: [String]) async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/sketchbook.csv"
            try Data(
                "# capturedAt: 2026-11-20T12:00:00Z\n\(zone)date,sessions\n2026-11-16,7\n\(row)\n".utf8
            ).write(to: URL(fileURLWithPath: path))
            let now = try #require(Instant("2026-11-20T12:00:00Z"))
            let provider = FilesProvider(try FilesConfiguration(path), sender: client())
            let snapshot = try #require(await provider.fetch(app("sketchbook"), at: now).snapshots.first)
            let ahead = snapshot.health.map(\.date.description).filter { $0 > "2026-11-20" }
            #expect(ahead == more)
            #expect(snapshot.coverage.allSatisfy { $0.days.upperBound.description <= "2026-11-21" })
            let warnings = snapshot.warnings.filter { $0.id == "decoding.to-come" }
            #expect(warnings.map { String($0.summary.suffix(10)) } == reported)
            #expect(warnings.allSatisfy { $0.location == .file(path: path) })
        }
    }

    /// A day to come does not make a file whose days are old a new one.
    @Test(arguments: ["2026-09-18,7", "2062-11-27,7", "2026-12-31,0"])
    func daysToComeHideNoOldFile(row: String) async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/sketchbook.csv"
            try Data(
                "# capturedAt: 2026-11-20T05:00:00Z\ndate,sessions\n2026-09-17,7\n\(row)\n".utf8
            ).write(to: URL(fileURLWithPath: path))
            let now = try #require(Instant("2026-11-20T06:00:00Z"))
            let provider = FilesProvider(try FilesConfiguration(path), sender: client())
            let outcome = await provider.fetch(app("sketchbook"), at: now)
            #expect(outcome.failures.map(\.why.id) == ["files.stale"])
        }
    }

    /// The days, hours, issues and coverage of a snapshot alike.
    @Test func whatASnapshotDatesAheadIsSkipped() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/sketchbook.json"
            let text = """
                {"format": "plimsoll-snapshot", "version": 1, "app": "sketchbook",
                 "capturedAt": "2026-11-20T06:00:00Z", "provides": ["sessions", "usage", "issues", "issueDays", "hours"],
                 "usage": [{"date": "2026-11-19", "activeUsers": 3}, {"date": "2026-12-05", "activeUsers": 3}],
                 "hours": [{"hour": "2026-11-20T05:00:00Z", "sessions": 2, "crashedSessions": 1},
                    {"hour": "2026-11-20T09:00:00Z", "sessions": 2, "crashedSessions": 1}],
                 "issues": [{"id": "a", "title": "A", "firstSeen": "2026-11-18T00:00:00Z",
                    "lastSeen": "2062-01-01T00:00:00Z",
                    "days": [{"date": "2026-11-18", "events": 2}, {"date": "2026-12-07", "events": 2}]}],
                 "coverage": [{"fact": "usage", "first": "2026-11-19", "last": "2026-12-31", "state": "complete"}]}
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let now = try #require(Instant("2026-11-20T06:00:00Z"))
            let provider = FilesProvider(try FilesConfiguration(path), sender: client())
            let snapshot = try #require(await provider.fetch(app("sketchbook"), at: now).snapshots.first)
            #expect(snapshot.usage.map(\.date.description) == ["2026-11-19"])
            #expect(snapshot.healthHours.map(\.hour.start.description) == ["2026-11-20T05:00:00Z"])
            #expect(snapshot.issues.map(\.lastSeen) == [nil])
            #expect(snapshot.issues.first?.firstSeen != nil)
            #expect(snapshot.issueDays.map(\.date.description) == ["2026-11-18"])
            #expect(snapshot.coverage.allSatisfy { $0.days.upperBound.description <= "2026-11-20" })
            #expect(
                snapshot.warnings.filter { $0.id == "decoding.to-come" }.map(\.summary) == [
                    "files: 4 values were skipped that are dated after the capture, such as 2026-11-20"
                ])
        }
    }

    /// A release that is dated ahead is kept, and reported: it may be announced for that day.
    @Test(arguments: [
        ("2026-11-20T18:00:00Z", false), ("2026-11-21T00:00:00Z", true), ("2062-01-01T00:00:00Z", true),
    ])
    func aReleaseToComeIsReported(released: String, isReported: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/sketchbook.json"
            let text = """
                {"format": "plimsoll-snapshot", "version": 1, "app": "sketchbook",
                 "capturedAt": "2026-11-20T06:00:00Z", "provides": ["releases"],
                 "releases": [{"version": "3.2.0", "build": "320", "releasedAt": "\(released)"}]}
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let now = try #require(Instant("2026-11-20T06:00:00Z"))
            let provider = FilesProvider(try FilesConfiguration(path), sender: client())
            let snapshot = try #require(await provider.fetch(app("sketchbook"), at: now).snapshots.first)
            #expect(snapshot.releases.map(\.releasedAt) == [Instant(released)])
            #expect(
                snapshot.warnings.map(\.summary)
                    == (isReported
                        ? [
                            "files: the releasedAt of 3.2.0 (320) is after the capture: it does not count as released before \(released.prefix(10))"
                        ] : []))
        }
    }

    @Test func readsAnAddress() async throws {
        let body = try Data(
            contentsOf: URL(fileURLWithPath: fixture("files/good/sketchbook-2026-11-20.json")))
        let server = try await LoopbackServer.start { request in
            request.path == "/s.json" ? StubResponse(body: [UInt8](body)) : .json("{}", status: 404)
        }
        #expect(try await fetch("\(server.origin)/s.json").snapshots.count == 1)
        let missing = try await fetch("\(server.origin)/sketchbook-2026-11-18.json")
        #expect(missing.failures.map(\.why.id) == ["transport.status-404"])
        #expect(missing.failures.map(\.at.description) == ["2026-11-18T00:00:00Z"])
        let file = try await fetch("file://\(fixture("files/good/sketchbook-2026-11-20.json"))")
        #expect(file.snapshots.count == 1)
        await server.stop()
    }

    @Test func aRunThatIsCalledOffIsOneFailureOfNow() async throws {
        let closed = client()
        await closed.close()
        let provider = FilesProvider(try FilesConfiguration(fixture("files/good")), sender: closed)
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        #expect(outcome.requests == 1)
        #expect(outcome.failures.map(\.why.id) == ["transport.closed"])
        #expect(outcome.failures.map(\.at) == [runTime])
    }

    @Test func plansWithoutReading() throws {
        let folder = FilesProvider(try FilesConfiguration("/data/in"), sender: client()).plan(
            for: app("sketchbook"))
        #expect(
            folder.map { "\($0.method) \($0.address)" } == [
                "LIST /data/in", "READ /data/in/**.{json,csv,tsv}{,.gz}",
            ])
        let address = FilesProvider(
            try FilesConfiguration("https://h.example/s.json?token=abc"), sender: client())
        #expect(
            address.plan(for: app("sketchbook")).map(\.address) == [
                "https://h.example/s.json?token=<redacted>"
            ])
    }
}
