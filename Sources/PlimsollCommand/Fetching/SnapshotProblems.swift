import AppHealth
import Diagnostics

/// What the snapshots of one source skipped, as far as a fetch reports it: those that are new to the archive, and the
/// newest one.
struct SnapshotProblems {
    private var earlier = EarlierProblems()
    /// What the newest snapshot so far skipped, and whether it is new.
    private var newest: (warnings: [Diagnostic], isNew: Bool) = ([], false)

    /// Everything that is reported.
    var all: [Diagnostic] { earlier.list + newest.warnings }

    /// Adds to the newest of some snapshots what the new ones before it skipped: pages show the newest attempt of a
    /// source.
    ///
    /// - Parameters:
    ///   - snapshots: in the order of their capture; those of an earlier call were captured before.
    ///   - known: the captures that were in the archive before this fetch.
    mutating func gather(into snapshots: inout [Snapshot], known: Set<Instant>) {
        guard let last = snapshots.last?.capturedAt,
            let shown = snapshots.firstIndex(where: { $0.capturedAt == last })
        else { return }
        if newest.isNew { earlier.add(newest.warnings) }
        for (index, snapshot) in snapshots.enumerated() where index != shown {
            if !known.contains(snapshot.capturedAt) { earlier.add(snapshot.warnings) }
        }
        newest = (snapshots[shown].warnings, !known.contains(last))
        // What is known of an instant is not written again.
        if newest.isNew { snapshots[shown].warnings += earlier.list }
    }
}

/// What older snapshots skipped: so many kinds of problem, those that came last, each at its last place, and how many
/// there are besides. A file of each day may have the same one for years.
struct EarlierProblems {
    /// The most that are named.
    static let most = 20

    private struct Kind {
        let key: String
        var last: Diagnostic
        var others = 0
    }

    private var kinds: [Kind] = []
    private var dropped = 0

    /// Takes those of a snapshot that is newer than all before.
    mutating func add(_ warnings: [Diagnostic]) {
        for warning in warnings {
            let key = warning.id + " " + warning.summary.filter { !$0.isNumber }
            var kind = Kind(key: key, last: warning)
            if let place = kinds.firstIndex(where: { $0.key == key }) {
                kind.others = kinds.remove(at: place).others + 1
            }
            kinds.append(kind)
            if kinds.count > Self.most { dropped += kinds.removeFirst().others + 1 }
        }
    }

    /// Those that are named, and one for the rest.
    var list: [Diagnostic] {
        let named = kinds.map { kind in
            var last = kind.last
            if kind.others > 0 { last.details.append("the same \(times(kind.others)) before") }
            return last
        }
        guard dropped > 0 else { return named }
        let rest = counted(dropped, "more problem")
        return named + [
            .warning(
                "fetch.more-problems", "\(rest) in older snapshots not shown",
                hints: ["fix those that are shown, then run 'plimsoll doctor'"])
        ]
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
