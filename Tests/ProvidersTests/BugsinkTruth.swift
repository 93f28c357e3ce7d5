import AppHealth

/// What was sent to a real server, to hold each number of a snapshot against.
struct BugsinkTruth {
    private let sent: [RealBugsink.Sent]
    private let now: Instant

    init(_ sent: [RealBugsink.Sent], until now: Instant) {
        (self.sent, self.now) = (sent, now)
    }

    /// The headlines of all issues.
    var titles: Set<String> { Set(sent.map(\.title)) }

    /// The events of a day, crashes and errors.
    func events(on day: CivilDate) -> Int { sent.count { $0.day == day.description } }

    /// Each number of the snapshot that is not the truth; one that is not known is none.
    func faults(of snapshot: Snapshot) -> [String] {
        snapshot.issues.flatMap(faults) + days(of: snapshot) + health(of: snapshot)
            + releases(of: snapshot)
    }

    private func faults(of issue: Issue) -> [String] {
        let sent = sent.filter { $0.title == issue.title }
        let versions = sent.map { Version($0.version, build: $0.build) }
        let days = sent.map(\.day)
        let pairs: [(String, String?, String?)] = [
            ("events", text(issue.events), "\(sent.count)"),
            ("users", text(issue.users), "\(Set(sent.map(\.user)).count)"),
            ("kind", issue.kind.rawValue, sent.contains { !$0.handled } ? "crash" : "error"),
            ("first seen", issue.firstSeen?.date.description, days.min()),
            ("last seen", issue.lastSeen?.date.description, days.max()),
            ("first version", issue.firstVersion?.description, versions.min()?.description),
            ("last version", issue.lastVersion?.description, versions.max()?.description),
        ]
        return pairs.compactMap { what, found, expected in
            found == nil || found == expected
                ? nil : "\(what) of \(issue.title): \(found ?? "") instead of \(expected ?? "none")"
        }
    }

    private func days(of snapshot: Snapshot) -> [String] {
        let titles = Dictionary(snapshot.issues.map { ($0.id, $0.title) }) { first, _ in first }
        return snapshot.issueDays.compactMap { day in
            let count = sent.count { $0.title == titles[day.issue] && $0.day == day.date.description }
            guard let events = day.events, events != count else { return nil }
            return "\(titles[day.issue] ?? day.issue) on \(day.date): \(events) instead of \(count)"
        }
    }

    private func health(of snapshot: Snapshot) -> [String] {
        snapshot.health.compactMap { day in
            let count = sent.count { !$0.handled && $0.day == day.date.description }
            guard let crashes = day.crashes, crashes != count else { return nil }
            return "crashes on \(day.date): \(crashes) instead of \(count)"
        }
    }

    private func releases(of snapshot: Snapshot) -> [String] {
        let known = Set(snapshot.releases.map(\.version.description))
        let used = Set(sent.map { Version($0.version, build: $0.build).description })
        let wrongDays = snapshot.releases.compactMap { release -> String? in
            let first = sent.filter { $0.version == release.version.label }.map(\.day).min()
            let date = release.releasedAt?.date.description
            return date == first
                ? nil : "\(release.version) began on \(date ?? "none"), not \(first ?? "none")"
        }
        return known.symmetricDifference(used).sorted().map { "release \($0)" } + wrongDays
    }

    private func text(_ number: Int?) -> String? { number.map(String.init) }
}
