import AppHealth

extension RevisionTable {
    static let descriptions = RevisionTable(
        "source_description",
        values: [
            "app_name", "app_platform", "provider", "session_definition", "user_definition", "zone", "delay",
            "capabilities", "settles_after_hours", "final_after_hours",
        ])
}

extension RevisionWriter {
    mutating func write(_ description: Source, of app: App) throws -> Bool {
        // The word stands among the capabilities, so that archives from before it need no new format.
        let exact = description.hasExactCounts ? [exactCounts] : []
        let words = description.capabilities.map(\.rawValue).sorted() + exact
        let capabilities = words.joined(separator: " ")
        return try write(
            [
                Field(app.name), Field(app.platform), Field(description.provider),
                Field(description.sessionDefinition), Field(description.userDefinition),
                Field(description.zone), Field(description.delay), Field(capabilities),
                Field(description.settling.settlesAfterHours), Field(description.settling.finalAfterHours),
            ],
            of: [Field(source)], to: .descriptions)
    }
}

extension RevisionReader {
    /// The source as its newest snapshot described it; a capability of a newer version is left out.
    mutating func description(id: Slug) throws -> Source? {
        var unknown = 0
        let described = try rows(of: .descriptions) { columns in
            _ = (try columns.text(), try columns.text())
            var source = Source(
                id: id, provider: try columns.text(), sessionDefinition: try columns.text(),
                userDefinition: try columns.text(), zone: try columns.text(), delay: try columns.text(),
                capabilities: [])
            let all = try columns.text().split(separator: " ")
            // Of descriptions from before the word nothing is known, so the wider tolerance holds.
            source.hasExactCounts = all.contains { $0 == exactCounts }
            let words = all.filter { $0 != exactCounts }
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

/// What stands among the capabilities of a source whose parts and totals are counted alike.
private let exactCounts = "exactCounts"
