import AppHealth

extension RevisionTable {
    static let descriptions = RevisionTable(
        "source_description",
        values: [
            "app_name", "app_platform", "provider", "session_definition", "user_definition", "zone", "delay",
            "capabilities", "settles_after_hours", "final_after_hours",
            "count_tolerance_permille",
        ])
}

extension RevisionWriter {
    mutating func write(_ description: Source, of app: App) throws -> Bool {
        let capabilities = description.capabilities.map(\.rawValue).sorted().joined(separator: " ")
        return try write(
            [
                Field(app.name), Field(app.platform), Field(description.provider),
                Field(description.sessionDefinition), Field(description.userDefinition),
                Field(description.zone), Field(description.delay), Field(capabilities),
                Field(description.settling.settlesAfterHours), Field(description.settling.finalAfterHours),
                Field(Int((description.countTolerance * 1000).rounded())),
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
            let words = try columns.text().split(separator: " ")
            source.capabilities = Set(words.compactMap { Capability(rawValue: String($0)) })
            unknown = words.count - source.capabilities.count
            // Snapshots from before the columns have none.
            if let least = try columns.optionalInteger(), let final = try columns.optionalInteger() {
                source.settling = SettlingAge(settlesAfterHours: least, finalAfterHours: final)
            }
            // Of those from before the column nothing is known, so the wider one holds.
            let permille = try columns.optionalInteger()
            source.countTolerance = permille.map { Double($0) / 1000 } ?? Source.estimatedTolerance
            return source
        }
        if unknown > 0 { leaveOut(from: RevisionTable.descriptions.name) }
        return described.first
    }
}
