import GRDB

/// One append-only table: what names a value, when it was captured, and the value's columns.
///
/// Two successive revisions of one key differ, unless an older one was recorded later, or the later one confirms after the
/// end of a day what was captured while it ran.
struct RevisionTable: Sendable {
    /// What the newest revision is to the values of a snapshot.
    enum Comparison: Int {
        /// It has these values.
        case same = 1
        /// It has others and was captured at the very same instant.
        case conflicting = 2
        /// It has others and is older.
        case older = 3
        /// It has others and is older, and states something that they do not: that stays.
        case olderAndFuller = 4
        /// It has these values, and was captured while its day ran.
        case sameOfPart = 5
    }

    let name: String
    /// The columns of the key that follow the owner; rows are read in their order.
    let key: [String]
    let values: [String]
    /// Values that belong together, such as all and crashed sessions: what a snapshot states less of than an earlier one
    /// did stays as it was, for a part that was not fetched is no news.
    let parts: [[String]]
    /// Columns that say how good a number next to them is. A snapshot that has the number and none of these states no
    /// less: all of its users are named.
    static let qualities: Set = ["named_share"]
    /// The values by those that fill a row of the very same instant together.
    let groups: [Group]
    /// The number of a day that counts only where its row was captured of the whole day; nil where other rows say when a day
    /// was reported of. The day is the first column of the key.
    let wholeNumber: String?
    /// Whether reports read every revision of the last days of all releases together; see `LearnedDays`.
    let isLearnedFrom: Bool
    /// Rows belong to an issue, not directly to a source.
    let isByIssue: Bool
    /// How the newest revision at or before an instant compares with values: a number of `Comparison`.
    let comparison: String
    /// The values of the newest revision at or before an instant.
    let newest: String
    /// The values of the newest revision before an instant.
    let previous: String
    /// Inserts a revision where there is none of the same key and instant.
    let insertion: String
    /// Gives the row of a key and an instant other values, where it has certain ones.
    let completion: String
    /// The newest revision of each key of a source at or before an instant.
    let reading: String

    /// All tables of revisions.
    static let all = [
        descriptions, releases, health, usage, issues, issueDays, deviceDays, healthHours, issueHours, notes,
    ]

    /// - Parameter joint: Other values that belong together.
    init(
        _ name: String, key: [String] = [], values: [String], parts: [[String]] = [],
        joint: [[String]] = [], wholeNumber: String? = nil, isLearnedFrom: Bool = false,
        isByIssue: Bool = false
    ) {
        self.name = name
        self.key = key
        self.values = values
        self.parts = parts
        self.wholeNumber = wholeNumber
        (self.isLearnedFrom, self.isByIssue) = (isLearnedFrom, isByIssue)
        groups = Self.groups(values, parts: parts, joint: joint)
        let keys = [isByIssue ? "issue_id" : "source_id"] + key
        comparison = Self.comparison(name, keys, values, parts, wholeNumber)
        newest = "SELECT \(values.joined(separator: ", ")) FROM \(name) \(Self.newest(of: keys))"
        previous = "SELECT \(values.joined(separator: ", ")) FROM \(name) \(Self.newest(of: keys, "<"))"
        insertion = Self.insertion(name, keys + ["captured_at"] + values)
        completion = Self.completion(name, keys, values)
        reading = Self.reading(name, key, values, isByIssue)
    }

    /// The values of which each change stays when the archive is compacted.
    static let lasting = ["state", "fixed_version_id", "last_version_id", "zone"]

    /// The values of a row that are among these.
    func lasting(of values: [Field]) -> [Field] {
        Self.lasting.compactMap { self.values.firstIndex(of: $0) }.map { values[$0] }
    }

    /// Whether rows count into what was first reported of a day.
    var haveFirstReports: Bool { key == ["date", "version_id"] }

    /// The condition of a row `revision` that compacting removes: it has two later ones of its key before an instant and is
    /// not the first; of an issue, also not the first of its state, its fix or its newest version; and of a day it is not
    /// what was known when the day was first reported of after it was over, nor a day that a report of the
    /// instant learns from.
    ///
    /// - Parameters:
    ///   - before: the instant.
    ///   - report: the capture that was the first report of the row's day; asked for where rows have such.
    func isSuperseded(before: String, report: String) -> String {
        let keys = [isByIssue ? "issue_id" : "source_id"] + key
        func isKey(of row: String) -> String {
            keys.map { "\(row).\($0) = revision.\($0)" }.joined(separator: " AND ")
        }
        let later =
            "FROM \(name) AS later WHERE \(isKey(of: "later")) AND later.captured_at > revision.captured_at"
        let repeats = Self.lasting.filter(values.contains).map { "earlier.\($0) IS revision.\($0)" }
        let isReported =
            haveFirstReports
            ? "\(report) BETWEEN revision.captured_at AND (SELECT min(later.captured_at) - 1 \(later))" : "0"
        return """
            (SELECT later.captured_at \(later) ORDER BY later.captured_at LIMIT 1 OFFSET 1) <= \(before)
            AND (
                SELECT \(repeats.isEmpty ? "1" : repeats.joined(separator: " AND ")) FROM \(name) AS earlier
                WHERE \(isKey(of: "earlier")) AND earlier.captured_at < revision.captured_at
                ORDER BY earlier.captured_at DESC LIMIT 1
            ) AND NOT coalesce(\(isReported), 0)\(isLearnedFrom ? " AND \(isTooOld(before: before))" : "")
            """
    }

    /// The condition of a row `revision` of a day, or a release, that no report from an instant on learns from.
    private func isTooOld(before: String) -> String {
        let newest = """
            SELECT at FROM fetch_attempt WHERE source_id = revision.source_id AND has_failed = 0 AND at <= \(before)
            ORDER BY at DESC LIMIT 1
            """
        let isOfRelease = key.contains("version_id") ? "revision.version_id != 0 OR " : ""
        return "(\(isOfRelease)revision.date < (\(newest)) / 86400 - \(LearnedDays.count))"
    }

    /// Whether compacting before a later instant would remove a revision.
    ///
    /// Parameters: the key, the instant of the row, that of compacting, then the first report of the row's day where rows
    /// have such, and the row's lasting values where they have such.
    var superseding: String {
        let columns = [isByIssue ? "issue_id" : "source_id"] + key + ["captured_at"]
        let (before, next) = (columns.count + 1, columns.count + 2)
        let named = columns.indices.map { "?\($0 + 1) AS \(columns[$0])" }
        let lasting = Self.lasting.filter(values.contains)
        let values = lasting.indices.map { "?\(next + $0) AS \(lasting[$0])" }
        return """
            SELECT 1 FROM (SELECT \((named + values).joined(separator: ", "))) AS revision
            WHERE \(isSuperseded(before: "?\(before)", report: "?\(next)"))
            """
    }

    /// Parameters: the key, the instant, the values, those that the row has.
    private static func completion(_ name: String, _ keys: [String], _ values: [String]) -> String {
        let place = keys.count + 2
        let isKey = keys.indices.map { "\(keys[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
        let new = values.indices.map { "\(values[$0]) = ?\(place + $0)" }.joined(separator: ", ")
        let old = values.indices.map { "\(values[$0]) IS ?\(place + values.count + $0)" }
        return """
            UPDATE \(name) SET \(new)
            WHERE \(isKey) AND captured_at = ?\(keys.count + 1) AND \(old.joined(separator: " AND "))
            """
    }

    /// Parameters: the key, the instant, the values, and of a table with a number of whole days the second before which a
    /// capture lacks much of the day; null where the new one lacks it too.
    private static func comparison(
        _ name: String, _ keys: [String], _ values: [String], _ parts: [[String]], _ wholeNumber: String?
    ) -> String {
        let new = Dictionary(
            uniqueKeysWithValues: values.indices.map { (values[$0], "?\(keys.count + 2 + $0)") })
        func stated(_ columns: [String]) -> String {
            "(\(columns.map { "(\($0) IS NOT NULL)" }.joined(separator: " + ")))"
        }
        func isSame(_ columns: [String]) -> String {
            columns.map { "\($0) IS \(new[$0] ?? $0)" }.joined(separator: " AND ")
        }
        let stays = parts.map { part in
            let numbers = part.filter { !qualities.contains($0) }
            return "\(stated(numbers.map { new[$0] ?? $0 })) < \(stated(numbers))"
        }
        let alone = values.filter { value in !parts.contains { $0.contains(value) } }
        let areSame =
            zip(parts, stays).map { "(\($1) OR \(isSame($0)))" } + (alone.isEmpty ? [] : [isSame(alone)])
        let isFuller = stays.isEmpty ? "0" : stays.joined(separator: " OR ")
        let isOfPart =
            wholeNumber.map { number in
                """
                \(new[number] ?? "NULL") IS NOT NULL AND captured_at != date * 86400
                AND captured_at < ?\(keys.count + 2 + values.count)
                """
            } ?? "0"
        return """
            SELECT CASE WHEN \(areSame.joined(separator: " AND "))
            THEN CASE WHEN \(isOfPart) THEN \(Comparison.sameOfPart.rawValue) ELSE \(Comparison.same.rawValue) END
            WHEN captured_at = ?\(keys.count + 1) THEN \(Comparison.conflicting.rawValue)
            WHEN \(isFuller) THEN \(Comparison.olderAndFuller.rawValue)
            ELSE \(Comparison.older.rawValue) END FROM \(name) \(newest(of: keys))
            """
    }

    /// Parameters: the key, the instant.
    private static func newest(of keys: [String], _ comparison: String = "<=") -> String {
        let isKey = keys.indices.map { "\(keys[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
        let isInTime = "captured_at \(comparison) ?\(keys.count + 1)"
        return "WHERE \(isKey) AND \(isInTime) ORDER BY captured_at DESC LIMIT 1"
    }

    /// Gives the later revisions that follow one, up to the first that has any of these values, those of a group: what they
    /// do not state is that of the one before.
    ///
    /// Parameters: the key, the instant, the group's values.
    func carrying(_ group: Group) -> String {
        let keys = [isByIssue ? "issue_id" : "source_id"] + key
        let isKey = keys.indices.map { "\(keys[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
        let columns = group.places.map { values[$0] }
        let new = columns.indices.map { "\(columns[$0]) = ?\(keys.count + 2 + $0)" }
        let isKnown = columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
        let isLater = "\(isKey) AND captured_at > ?\(keys.count + 1)"
        return """
            UPDATE \(name) SET \(new.joined(separator: ", ")) WHERE \(isLater) AND captured_at < coalesce(
                (SELECT min(captured_at) FROM \(name) WHERE \(isLater) AND (\(isKnown))), \(Int64.max))
            """
    }

    /// Values of a snapshot with what an earlier revision states more of.
    func completed(_ values: [Field], by earlier: [Field]) -> [Field] {
        var completed = values
        for part in parts {
            let places = part.compactMap { self.values.firstIndex(of: $0) }
            let numbers = places.filter { !Self.qualities.contains(self.values[$0]) }
            guard
                numbers.count(where: { !values[$0].isNull }) < numbers.count(where: { !earlier[$0].isNull })
            else { continue }
            for place in places { completed[place] = earlier[place] }
        }
        return completed
    }

    private static func insertion(_ name: String, _ columns: [String]) -> String {
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return
            "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING"
    }

    /// Parameters: the source and the instant. With one `max()` SQLite takes the other columns from the row
    /// that has the maximum (lang_select.html, "Bare columns in an aggregate query"); the group's order is
    /// the primary key's, so nothing is sorted.
    private static func reading(
        _ name: String, _ key: [String], _ values: [String], _ isByIssue: Bool
    ) -> String {
        let columns = (key + values).joined(separator: ", ")
        guard isByIssue else {
            let group = (["source_id"] + key).joined(separator: ", ")
            return """
                SELECT \(columns.isEmpty ? "" : columns + ", ")max(captured_at) FROM \(name)
                WHERE source_id = ?1 AND captured_at <= ?2 GROUP BY \(group)
                """
        }
        return """
            SELECT issue_name.id, name, \(columns), max(captured_at)
            FROM issue_name CROSS JOIN \(name) ON issue_id = issue_name.id
            WHERE source_id = ?1 AND captured_at <= ?2 GROUP BY \((["name"] + key).joined(separator: ", "))
            """
    }
}
