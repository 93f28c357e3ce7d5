import AppHealth
import Diagnostics

/// The tables of one source. Each has a day and a count; what else `columns` names may be in others.
struct TablesOfSource {
    /// A table that was read.
    struct Table {
        var read: ReadTable
        /// The path or address of its file.
        let document: String
        /// The time in the name of its file.
        let time: Instant?
        /// The time that its name has in another form, where nothing else says when it was captured.
        let named: Instant?
    }

    /// Why tables are not taken, at the time of a file where it is that of one.
    typealias Fault = (time: Instant?, why: Diagnostic)

    /// Whether a file of the source could not be read: what columns it has is not known.
    var hasUnread = false
    private(set) var tables: [Table] = []

    /// Adds a table that was read.
    mutating func add(_ table: Table) { tables.append(table) }

    /// Of tables of one name but for the date that have a day in common, the one with the later date is newer whenever they
    /// were written: a copy and a folder that was restored have other times.
    mutating func orderByNames() {
        // Of each name the days of tables with later dates, and when they were captured first.
        var later: [String: [CivilDate: (named: Instant, capture: Instant)]] = [:]
        let dated = tables.indices.compactMap { place in tables[place].named.map { (named: $0, place: place) }
        }
        for (named, place) in dated.sorted(by: { $0 > $1 }) {
            let (kind, snapshot) = (tables[place].kind, tables[place].read.snapshot)
            var capture = snapshot.capturedAt
            // A date that was to come is none of a capture.
            guard capture.seconds(to: named) < 86_400 else { continue }
            let days = Set(snapshot.health.map(\.date) + snapshot.usage.map(\.date))
            let laterOnes = days.compactMap { later[kind]?[$0] }.filter { $0.named > named }
            if let next = laterOnes.map(\.capture).min(), capture >= next {
                let end = Instant(startOf: named.date.advanced(by: 2))
                capture = min(next, end).advanced(bySeconds: -1)
                tables[place].read.snapshot.capturedAt = capture
            }
            for day in days {
                let first = later[kind]?[day]?.capture ?? capture
                later[kind, default: [:]][day] = (named, min(capture, first))
            }
        }
    }

    /// The tables to take, and why others are not. Of a column that no table has, it is not known in which of them it was
    /// meant to be: none is taken, as their counts would replace whole ones.
    func checked(in place: Location) -> (taken: [Table], faults: [Fault]) {
        let lacking = CSVColumn.allCases.filter { column in
            tables.allSatisfy { $0.read.missing[column] != nil }
        }
        if !lacking.isEmpty, !tables.isEmpty, !hasUnread {
            return ([], lacking.compactMap { absence(of: $0, in: place) })
        }
        let columns = Dictionary(grouping: tables, by: \.kind).mapValues { tables in
            CSVColumn.allCases.filter { column in tables.contains { $0.read.missing[column] == nil } }
        }
        var (taken, faults): ([Table], [Fault]) = ([], [])
        for table in tables {
            if let lost = columns[table.kind]?.first(where: { table.read.missing[$0] != nil }) {
                faults.append((table.time, table.absence(of: lost)))
            } else {
                taken.append(table)
            }
        }
        return (taken, faults)
    }

    /// That no table has a column.
    private func absence(of column: CSVColumn, in place: Location) -> Fault? {
        guard let first = tables.first, let wanted = first.read.missing[column] else { return nil }
        if tables.count == 1 { return (first.time, first.absence(of: column)) }
        return (nil, noTable(has: wanted, among: tables.map { ($0.document, $0.read.names) }, place))
    }
}

extension TablesOfSource.Table {
    /// What files of the same table have in common, whatever day is in their names.
    fileprivate var kind: String { document.filter { !$0.isNumber } }

    /// That it has no such column.
    fileprivate func absence(of column: CSVColumn) -> Diagnostic {
        CSVSnapshotError.header(
            missing: read.missing[column] ?? column.rawValue, names: read.names, line: read.line
        ).diagnostic(in: document)
    }
}
