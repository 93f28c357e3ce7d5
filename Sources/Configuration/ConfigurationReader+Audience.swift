import Analysis

extension YAMLFile {
    /// Who reads the site: `team`, `public`, or a mapping that also says whether counts and titles are shown.
    mutating func audience(_ value: YAMLValue?) -> Audience {
        guard let value else { return .team }
        guard value.isMapping else {
            return Audience(choice(value, of: Audience.Reader.self) ?? .team)
        }
        let keys = mapping(value, keys: ["for", "counts", "titles"]) ?? [:]
        return Audience(
            choice(keys["for"], of: Audience.Reader.self) ?? .team,
            counts: choice(keys["counts"], of: Audience.Display.self),
            titles: choice(keys["titles"], of: Audience.Display.self))
    }
}
