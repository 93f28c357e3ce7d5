import AppHealth
import Files
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
    /// Those for which all of the history was asked for, as they had answered at last, and that have not answered since:
    /// it is too much for them, and is not asked for again.
    private(set) var tried: Set<WarehouseQuery> = []
    /// Past days without any row between days with many: they were never loaded.
    private(set) var gaps: Set<CivilDate> = []

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
    ///   - gaps: The days that were never loaded, as far as they are known now.
    func after(
        _ day: CivilDate, failed: Set<WarehouseQuery>, absent: Set<WarehouseQuery>, begin: CivilDate?,
        gaps: Set<CivilDate> = []
    ) -> WarehouseProgress {
        var next = self
        // Later no month of users reaches so far back.
        next.gaps = gaps.filter { $0 > day.advanced(by: -60) }
        (next.late, next.begin) = (failed, begin)
        let silent = failed.union(absent)
        // What answered for all of the history has it.
        if last == nil { next.tried.formIntersection(silent) }
        let back = open.subtracting(silent).subtracting(tried)
        if !back.isEmpty {
            (next.last, next.open) = (nil, [])
            next.tried.formUnion(back)
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
            case "tried": tried = queries
            case "gaps": gaps = Set(words.dropFirst().compactMap { CivilDate($0) })
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
            line("tried", tried.map(\.rawValue).sorted()), line("gaps", gaps.sorted().map { "\($0)" }),
        ].compactMap(\.self).joined(separator: "\n")
    }
}

extension [WarehouseQuery: QueryFile] {
    /// What the queries ask, in short: another table, condition or zone asks for something else, of which no day is known.
    var digest: String {
        let texts = sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.key.rawValue)\n\($0.value.text)\n"
        }
        return String(contentHash(Array(texts.joined().utf8)).prefix(16))
    }
}

extension WarehouseRun {
    /// How far earlier rounds came.
    var progress: WarehouseProgress {
        kept?[keptName].map { WarehouseProgress(String(decoding: $0, as: UTF8.self)) } ?? WarehouseProgress()
    }

    /// What this round is about.
    var window: WarehouseWindow { window(last: progress.last) }

    /// Keeps how far this round came, unless it has failed or is not stored.
    ///
    /// - Parameters:
    ///   - mapping: What became of it: an answer of a table that is not loaded is none, and a day of which a part is loaded
    ///     is asked for again.
    func keepProgress(of mapping: WarehouseMapping) {
        guard let kept, parts.failure == nil else { return }
        let silent = Set(WarehouseQuery.allCases).subtracting(mapping.tables.keys).union(mapping.silent)
        let next = progress.after(
            mapping.sessionTable.lastDay,
            failed: silent.filter { text($0) != nil }, absent: silent.filter { text($0) == nil },
            begin: mapping.firstDay, gaps: mapping.gaps)
        kept.keepStep(Array(next.text.utf8), as: keptName)
    }
}
