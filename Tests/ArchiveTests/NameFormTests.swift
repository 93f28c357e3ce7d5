import AppHealth
import GRDB
import Testing

@testable import Archive

/// Names that are equal, and not the same bytes: `é` is one scalar, or two.
struct NameFormTests {
    private static let (composed, split) = ("Caf\u{E9}", "Cafe\u{301}")

    private static func snapshot(_ seconds: Int, _ name: String, events: Int) -> Snapshot {
        .at(seconds) {
            $0.health = [HealthDay(date: day, version: name, sessions: events * 10)]
            $0.releases = [Release(version: Version(name, build: name), releasedAt: nil)]
            $0.issues = [
                Issue(
                    id: name, title: "Fall", firstVersion: Version(name), lastVersion: Version(name),
                    fixedIn: Version(name, build: name))
            ]
            $0.issueDays = [nil, name].map {
                IssueDay(issue: name, date: day, version: $0, events: events, users: nil)
            }
            $0.issueHours = [
                IssueHour(issue: name, hour: UTCHour(hoursSinceEpoch: 480_000), events: events, users: nil)
            ]
            $0.deviceDays = [DeviceDay(date: day, device: name, crashes: events)]
            $0.notes = [Note.Subject.release(name), .issue(name)].enumerated().map { place, subject in
                Note(id: "\(place)\(name)", at: .latest, author: "J", text: "seen", subject: subject)
            }
            $0.coverage = [.releaseHealth, .issueDays, .issueReleases].map { CoverageSpan($0, day...day) }
        }
    }

    /// The names of a history in bytes, and what was counted under each.
    private static func lines(_ history: SourceHistory) -> [String] {
        func line(_ what: String, _ names: [String?], _ count: Int? = nil) -> String {
            let bytes = names.map { "\(Array(($0 ?? "").utf8))" }.joined(separator: " ")
            return "\(what) \(bytes) \(count ?? 0)"
        }
        return history.health.map { line("health", [$0.version], $0.sessions) }
            + history.releases.map { line("release", [$0.version.label, $0.version.build]) }
            + history.issues.map { line("issue", [$0.id, $0.firstVersion?.label, $0.fixedIn?.build]) }
            + history.issueDays.map { line("issue day", [$0.issue, $0.version], $0.events) }
            + history.issueHours.map { line("issue hour", [$0.issue], $0.events) }
            + history.deviceDays.map { line("device", [$0.device], $0.crashes) }
            + history.notes.map { line("note", [$0.id, "\($0.subject)"]) }
            + history.issueStates.map { line("states", [$0.key], $0.value.count) }
    }

    private static func expected() throws -> [String] {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (seconds, events) in [(100, 4), (200, 5), (300, 6)] {
            try archive.record(snapshot(seconds, composed, events: events))
        }
        return try lines(archive.known())
    }

    /// Each night may use another form.
    @Test(arguments: [[composed, split, composed], [split, composed, split], [split, split, split]])
    func namesOfOneFormAreKept(forms: [String]) throws {
        let folder = try TemporaryFolder()
        for (place, form) in forms.enumerated() {
            // A process of its own each: what a writer remembers hides the difference.
            let archive = try folder.archive()
            try archive.record(Self.snapshot(100 * (place + 1), form, events: 4 + place))
            try archive.close()
        }
        let archive = try folder.archive()
        #expect(try Self.lines(archive.known()) == Self.expected())
    }

    /// An archive that kept both forms: what a night called by the one was gone under the other.
    @Test(arguments: [[composed, split], [split, composed], [split, split]])
    func bothFormsOfAnOlderArchiveBecomeOne(forms: [String]) throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.archivePath)
        try ArchiveFormat.migrator.migrate(queue, upTo: "addCompactions")
        try queue.write { try Self.fill($0, forms) }
        try queue.close()
        let archive = try folder.archive()
        #expect(try archive.faults() == [])
        #expect(try Self.lines(archive.known(at: 200)).filter { !$0.hasPrefix("states") } == Self.whole)
        let summary = try archive.record(Self.snapshot(300, Self.split, events: 6))
        #expect(summary.conflicts == 0)
        #expect(try Self.lines(archive.known()).count == Self.expected().count)
        #expect(
            try archive.history(of: .harbour, sources: [], asOf: .latest).history.ledger.map {
                Array($0.subject.utf8)
            } == [Array(Self.composed.utf8)])
    }

    private static let whole: [String] = {
        let name = "\(Array(composed.utf8))"
        return [
            "health \(name) 50", "release \(name) \(name) 0", "issue \(name) \(name) \(name) 0",
            "issue day \(name) [] 5", "issue day \(name) \(name) 5", "issue hour \(name) 5",
            "device \(name) 5",
        ]
    }()

    /// Two nights as they were written before names were composed.
    private static func fill(_ database: Database, _ forms: [String]) throws {
        let distinct = forms.enumerated().filter { place, form in
            !forms[..<place].contains { Array($0.utf8) == Array(form.utf8) }
        }.map(\.element)
        try database.execute(
            sql: """
                INSERT INTO source (id, app, name) VALUES (1, 'harbour', 'files');
                INSERT INTO alert VALUES ('harbour', 'a', 150, 'velocity', '\(forms[0])', 1, 1, 1, 'open', 't', NULL);
                """)
        func number(_ form: String) -> Int {
            (distinct.firstIndex { Array($0.utf8) == Array(form.utf8) } ?? 0) + 1
        }
        for form in distinct {
            try database.execute(
                sql: """
                    INSERT INTO version (id, source_id, label, build) VALUES (?1, 1, ?2, ?2), (?1 + 10, 1, ?2, '');
                    """, arguments: [number(form), form])
            try database.execute(
                sql: "INSERT INTO issue_name (id, source_id, name) VALUES (?1, 1, ?2)",
                arguments: [number(form), form])
        }
        for (place, form) in forms.enumerated() {
            let (at, events) = (100 * (place + 1), 4 + place)
            func write(_ form: String, _ events: Int) throws {
                let id = number(form)
                try database.execute(
                    sql: """
                        INSERT INTO health_day (source_id, date, version_id, captured_at, sessions)
                            VALUES (1, \(day.daysSinceEpoch), \(id + 10), \(at), \(events * 10));
                        INSERT INTO issue_day (issue_id, date, version_id, captured_at, events)
                            VALUES (\(id), \(day.daysSinceEpoch), 0, \(at), \(events)),
                                (\(id), \(day.daysSinceEpoch), \(id + 10), \(at), \(events));
                        """)
            }
            try write(form, events)
            for other in distinct where number(other) != number(form) && place > 0 { try write(other, 0) }
            let id = number(form)
            try database.execute(
                sql: """
                    INSERT INTO issue_hour VALUES (\(id), 480000, \(at), \(events), NULL);
                    INSERT INTO release (source_id, version_id, captured_at, has_lifetime)
                        VALUES (1, \(id), \(at), 0);
                    INSERT INTO issue (issue_id, captured_at, title, kind, state, first_version_id,
                        last_version_id, fixed_version_id)
                        VALUES (\(id), \(at), 'Fall', 'crash', 'open', \(id + 10), \(id + 10), \(id));
                    """)
            try database.execute(
                sql: "INSERT INTO device_day VALUES (1, ?, ?, ?, ?)",
                arguments: [day.daysSinceEpoch, form, at, events])
        }
    }
}
