import Analysis
import Diagnostics

extension YAMLFile {
    /// What of the activity is reported; what is not given stays as in the standard.
    mutating func alerts(_ value: YAMLValue?, else standard: AlertSettings) -> AlertSettings {
        guard let value, let keys = mapping(value, keys: ["show"] + eventKeys) else { return standard }
        var settings = standard
        settings.show = choice(keys["show"], of: AlertSettings.Show.self) ?? standard.show
        for kind in EventKind.allCases {
            if let value = keys[kind.key] { settings[kind] = ofKind(kind, value, standard[kind]) }
        }
        return settings
    }

    /// `false`, `true`, or a mapping, which turns the kind on.
    private mutating func ofKind(
        _ kind: EventKind, _ value: YAMLValue, _ standard: AlertSettings.OfKind
    ) -> AlertSettings.OfKind {
        var ofKind = standard
        guard value.isMapping else {
            ofKind.isOn = flag(value) ?? standard.isOn
            return ofKind
        }
        let least = Dictionary(uniqueKeysWithValues: kind.measures.map { ($0.leastKey, $0) })
        guard let keys = mapping(value, keys: ["limit"] + least.keys.sorted()) else { return standard }
        ofKind.isOn = true
        ofKind.limit = count(keys["limit"], in: 1...1000) ?? standard.limit
        ofKind.least.users = count(keys["leastUsers"], in: 1...1_000_000_000) ?? standard.least.users
        ofKind.least.share = number(keys["leastShare"], in: 0...100) ?? standard.least.share
        ofKind.least.points = number(keys["leastPoints"], in: 0...100) ?? standard.least.points
        return ofKind
    }

    /// A whole number within a range; nil when there is none.
    package mutating func count(_ value: YAMLValue?, in range: ClosedRange<Int>) -> Int? {
        guard let value else { return nil }
        guard let count = value.scalar.flatMap(Int.init), range.contains(count) else {
            add(
                "yaml.wrong-type",
                "\(value.key): expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(value.kind)",
                at: value)
            return nil
        }
        return count
    }
}

extension AlertLevel.Measure {
    /// Its key among the settings of a kind.
    fileprivate var leastKey: String {
        switch self {
        case .users: "leastUsers"
        case .share: "leastShare"
        case .points: "leastPoints"
        }
    }
}

/// The names of the kinds of event in files.
let eventKeys = EventKind.allCases.map(\.key)
