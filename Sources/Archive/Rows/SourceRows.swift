import AppHealth
import GRDB

extension RevisionTable {
    static let descriptions = RevisionTable(
        "source_description",
        values: [
            "app_name", "app_platform", "provider", "session_definition", "user_definition", "zone", "delay",
            "capabilities", "settles_after_hours", "final_after_hours",
        ],
        joint: [["app_name", "app_platform"], ["settles_after_hours", "final_after_hours"]])
}

extension RevisionWriter {
    mutating func write(_ description: Source, of app: App) throws -> Bool {
        let known = description.capabilities.map(\.rawValue).sorted()
        let added = addedWords(of: description)
        func values(_ words: [String], _ settling: SettlingAge?) -> [Field] {
            [
                Field(app.name), Field(app.platform), Field(description.provider),
                Field(description.sessionDefinition), Field(description.userDefinition),
                Field(description.zone), Field(description.delay), Field(words.joined(separator: " ")),
                Field(settling?.settlesAfterHours), Field(settling?.finalAfterHours),
            ]
        }
        let settling = description.settling
        let (stated, knownConflicts) = (values(known + added.joined(), settling), conflicts)
        let isNew = try write(
            stated, of: [Field(source)], to: .descriptions,
            olderForms: [values(known, nil)]
                + added.indices.map { values(known + added.prefix($0).joined(), settling) })
        if isNew { refreshDayEnds() }
        if conflicts > knownConflicts, try differsByAppAlone(stated) { conflicts = knownConflicts }
        return isNew
    }

    /// Whether a description differs from the stored one of this instant by the app's name and platform alone, which
    /// are the configuration's: an app that was renamed makes no snapshot say anything else.
    private mutating func differsByAppAlone(_ stated: [Field]) throws -> Bool {
        let place = [Field(source), Field(capturedAt.secondsSinceEpoch)]
        return try statement(RevisionTable.descriptions.newest).row(place).map { stored in
            let renamed = Array(stated.prefix(2) + stored.dropFirst(2))
            return !SameInstant(.descriptions, renamed, and: stated, after: nil).differs
        } ?? false
    }
}

extension RevisionReader {
    /// The source as its newest snapshot described it; a capability of a newer version is skipped.
    mutating func description(id: Slug) throws -> Source? {
        var unknown = 0
        let described = try rows(of: .descriptions) { columns in
            _ = (try columns.text(), try columns.text())
            var source = Source(
                id: id, provider: try columns.text(), sessionDefinition: try columns.text(),
                userDefinition: try columns.text(), zone: try columns.text(), delay: try columns.text(),
                capabilities: [])
            let all = try columns.text().split(separator: " ")
            // Of a description from before a word nothing is known, which is the same as without it: of `exactCounts` the
            // wider tolerance holds.
            for mark in marks.joined() { source[keyPath: mark.fact] = all.contains { $0 == mark.word } }
            let estimated = all.filter { $0.hasPrefix(estimates) }
            source.estimates = Set(
                estimated.compactMap { CoveredFact(rawValue: String($0.dropFirst(estimates.count))) })
            source.issueTotals = all.lazy.compactMap { IssueTotals(word: $0) }.first ?? .unstated
            let words = all.filter { word in
                !marks.joined().contains { $0.word == word } && !word.hasPrefix(estimates)
                    && !word.hasPrefix(IssueTotals.prefix)
            }
            source.capabilities = Set(words.compactMap { Capability(rawValue: String($0)) })
            unknown = words.count - source.capabilities.count
            // Snapshots from before the columns have none.
            if let least = try columns.optionalInteger(), let final = try columns.optionalInteger() {
                source.settling = SettlingAge(settlesAfterHours: least, finalAfterHours: final)
            }
            return source
        }
        if unknown > 0 { leaveOut(from: RevisionTable.descriptions.name) }
        return described.first
    }
}

/// The words among the capabilities of a source that other facts about it have, so that archives from before them need no
/// new format: those of each version that added any, the oldest first.
private func addedWords(of source: Source) -> [[String]] {
    let marked = marks.map { version in version.filter { source[keyPath: $0.fact] }.map(\.word) }
    let estimated = source.estimates.map { estimates + $0.rawValue }.sorted()
    let totals = [source.issueTotals.word].compactMap(\.self)
    return Array(marked.prefix(1)) + [estimated, totals] + marked.dropFirst()
}

/// The facts that are known by a word or its absence.
private var marks: [[(word: String, fact: WritableKeyPath<Source, Bool>)]] {
    [
        [("exactCounts", \.hasExactCounts)], [("steadyShare", \.countsSteadyShare)],
        [("wholeDays", \.statesWholeDays), ("partsApart", \.countsPartsApart)],
        [("releasesByDay", \.datesReleasesByDay)], [("statedReleases", \.statesReleaseDays)],
    ]
}

/// What begins the words for the kinds of facts that a source estimates.
private let estimates = "estimates:"

extension IssueTotals {
    /// What begins the word for the time over which a source counts its issues.
    fileprivate static let prefix = "issueTotals:"

    /// The word among the capabilities; nil for what is not stated.
    fileprivate var word: String? {
        switch self {
        case .unstated: nil
        case .lifetime: Self.prefix + "lifetime"
        case .days(let count): Self.prefix + String(count)
        }
    }

    /// Reads such a word; nil for another one.
    fileprivate init?(word: some StringProtocol) {
        guard word.hasPrefix(Self.prefix) else { return nil }
        let span = word.dropFirst(Self.prefix.count)
        switch Int(span) {
        case let count? where count > 0: self = .days(count)
        case nil where span == "lifetime": self = .lifetime
        default: return nil
        }
    }
}
