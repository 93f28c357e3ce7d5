import AppHealth
import Archive
import Configuration
import Diagnostics
import Files

extension Project {
    /// The apps without a crash-free rate, by the archive; nothing where there is none or it cannot be read, which is
    /// reported where it is needed.
    func missingRates() -> [Diagnostic] {
        guard (try? knownKind(archive)) == .file, let stored = try? openArchive(self) else { return [] }
        return configuration.apps.compactMap { app in
            missingRate(
                of: app.app,
                app.sources.compactMap { source in
                    guard
                        let described = try? stored.description(of: app.app.id, source: source.id, asOf: now),
                        let days = try? stored.healthDays(of: app.app.id, source: source.id, asOf: now)
                    else { return nil }
                    return (described, days)
                })
        }
    }
}

/// That no crash-free rate of an app follows from its days, as each source that counts users or sessions lacks how many of
/// them crashed, or the other way round; nil where a rate follows, or nothing of one is counted.
func missingRate(of app: App, _ days: [(source: Source, days: [HealthDay])]) -> Diagnostic? {
    if days.contains(where: { $0.days.contains(where: \.countsCrashed) }) { return nil }
    let halves = days.flatMap { source, days in HalfRate.all(in: days).map { (source, $0) } }
    var hints: [String] = []
    for (source, half) in halves where !hints.contains(half.hint(for: source)) {
        hints.append(half.hint(for: source))
    }
    guard !halves.isEmpty else { return nil }
    return Diagnostic(
        .note, id: "source.no-rate", "\(app.id): no crash-free rate follows from its sources",
        details: halves.map { "'\($0.0.id)' has \($0.1.known), not \($0.1.missing)" }, hints: hints)
}

/// One count of the two that make a rate.
private struct HalfRate {
    let known: String
    let missing: String
    /// What the missing one is called in a table and in a snapshot file.
    let names: (column: String, member: String)

    private static let users = HalfRate(
        known: "users", missing: "affected users", names: ("crashed_users", "crashedUsers"))
    private static let affectedUsers = HalfRate(
        known: "affected users", missing: "all users", names: ("users", "users"))
    private static let sessions = HalfRate(
        known: "sessions", missing: "crashed sessions", names: ("crashed_sessions", "crashedSessions"))
    private static let crashedSessions = HalfRate(
        known: "crashed sessions", missing: "all sessions", names: ("sessions", "sessions"))

    /// Those of days that have no rate.
    static func all(in days: [HealthDay]) -> [HalfRate] {
        [
            days.contains { $0.users != nil } ? users : nil,
            days.contains { $0.crashedUsers != nil } ? affectedUsers : nil,
            days.contains { $0.sessions != nil } ? sessions : nil,
            days.contains { $0.crashedSessions != nil } ? crashedSessions : nil,
        ].compactMap(\.self)
    }

    /// What would give the rate.
    func hint(for source: Source) -> String {
        guard source.provider == "files" else { return "add a source that counts \(missing)" }
        let member = names.member == names.column ? "" : ", or '\(names.member)' in its snapshots"
        return "add the column '\(names.column)' to the tables of '\(source.id)'\(member)"
    }
}
