import AppHealth
import Transport

/// How far earlier rounds of queries came, so that a later one asks for what is new.
struct WarehouseProgress: Hashable, Sendable {
    /// The last day that they have; nil when all of the history is to be asked for.
    private(set) var last: CivilDate?
    /// The first day of which the warehouse has anything; nil when unknown, or before the history.
    private(set) var begin: CivilDate?
    /// The queries without an answer in the last round.
    private(set) var late: Set<WarehouseQuery> = []
    /// Those without which days were taken for fetched: once they answer, they lack these days.
    private(set) var open: Set<WarehouseQuery> = []

    init() {}

    /// How far a round came.
    ///
    /// A query that fails once is waited for: its days are asked for again. One that fails in each round, or is not there,
    /// does not hold up the others; when it answers at last, the next round asks for all of the history.
    ///
    /// - Parameters:
    ///   - day: The last day of the round.
    ///   - failed: The queries that have a text and no answer.
    ///   - absent: Those without a text.
    func after(
        _ day: CivilDate, failed: Set<WarehouseQuery>, absent: Set<WarehouseQuery>, begin: CivilDate?
    ) -> WarehouseProgress {
        var next = self
        (next.late, next.begin) = (failed, begin)
        if !open.isSubset(of: failed.union(absent)) {
            (next.last, next.open) = (nil, [])
        } else if failed.isSubset(of: late) {
            (next.last, next.open) = (day, failed.union(absent))
        }
        return next
    }
}

extension WarehouseProgress {
    /// What was kept; versions before kept the last day alone.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let queries = Set(words.dropFirst().compactMap { WarehouseQuery(rawValue: String($0)) })
            switch words.first {
            case "last": last = words.dropFirst().first.flatMap { CivilDate($0) }
            case "begin": begin = words.dropFirst().first.flatMap { CivilDate($0) }
            case "late": late = queries
            case "open": open = queries
            case let word?: last = CivilDate(word)
            case nil: break
            }
        }
    }

    var text: String {
        func line(_ name: String, _ words: [String]) -> String? {
            words.isEmpty ? nil : ([name] + words).joined(separator: " ")
        }
        return [
            line("last", last.map { ["\($0)"] } ?? []), line("begin", begin.map { ["\($0)"] } ?? []),
            line("late", late.map(\.rawValue).sorted()), line("open", open.map(\.rawValue).sorted()),
        ].compactMap(\.self).joined(separator: "\n")
    }
}

extension WarehouseRun {
    /// How far earlier rounds came.
    var progress: WarehouseProgress {
        kept?[keptName].map { WarehouseProgress(String(decoding: $0, as: UTF8.self)) } ?? WarehouseProgress()
    }

    /// What this round is about.
    var window: WarehouseWindow { window(last: progress.last) }

    /// Keeps how far this round came, unless it has failed.
    ///
    /// - Parameter begin: The first day of which the warehouse has anything.
    func keepProgress(
        of window: WarehouseWindow, _ answered: some Sequence<WarehouseQuery>, begin: CivilDate?
    ) {
        guard let kept, parts.failure == nil else { return }
        let silent = Set(WarehouseQuery.allCases).subtracting(answered)
        let next = progress.after(
            window.days.upperBound.advanced(by: -1), failed: silent.filter { text($0) != nil },
            absent: silent.filter { text($0) == nil }, begin: begin)
        kept.keep(Array(next.text.utf8), as: keptName)
    }
}
