import AppHealth
import Archive

/// Measures storing 1,000 issues with 30 days each.
enum ArchiveBench {
    static func run(_ folder: String) throws {
        let snapshot = snapshot()
        let archive = try Archive(at: folder + "/issue-days.sqlite", for: .writing)
        let first = try seconds { try archive.record(snapshot) }
        var later = snapshot
        later.capturedAt = Instant(secondsSinceEpoch: 1_795_156_200 + 86_400)
        let second = try seconds { try archive.record(later) }
        try archive.close()
        print("\nstoring \(snapshot.issues.count) issues × 30 days")
        line("first time", first, "s")
        line("again, nothing new", second, "s")
    }

    private static func snapshot() -> Snapshot {
        let source = Source(
            id: Slug(anyText: "bench"), provider: "files", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.issues, .issueDays])
        let now = Instant(secondsSinceEpoch: 1_795_156_200)
        var snapshot = Snapshot(
            app: App(id: Slug(anyText: "bench"), name: "Bench"), source: source, capturedAt: now)
        for number in 0..<1_000 {
            snapshot.issues.append(Issue(id: "issue-\(number)", title: "Issue \(number)", kind: .crash))
            for day in 0..<30 {
                snapshot.issueDays.append(
                    IssueDay(
                        issue: "issue-\(number)", date: now.date.advanced(by: -day), version: nil,
                        events: number + day, users: number))
            }
        }
        return snapshot
    }
}
