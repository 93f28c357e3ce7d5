package import Analysis
package import AppHealth
package import Diagnostics

/// Reads `mutes.yml`: a list of mutes.
///
/// - Parameter apps: the apps of the configuration.
/// - Returns: the mutes that are sound, in their order, and everything that was found.
package func readMutes(_ text: String, path: String, apps: [Slug]) -> ([Mute], [Diagnostic]) {
    var (file, document) = YAMLFile.read(text, path: path)
    // A file without anything but comments is an empty list.
    guard let document, !document.isNothing else { return ([], file.problems) }
    var mutes: [Mute] = []
    for value in file.list(document) ?? [] {
        if let mute = file.mute(value, number: mutes.count, apps) { mutes.append(mute) }
    }
    return (mutes, file.problems)
}

extension YAMLValue {
    fileprivate var isNothing: Bool { scalar?.isEmpty == true }
}

extension YAMLFile {
    fileprivate mutating func mute(_ value: YAMLValue, number: Int, _ apps: [Slug]) -> Mute? {
        let found = problems.count
        guard let keys = mapping(value, keys: subjectKeys + endKeys + ["by", "why"]) else { return nil }
        let subject = subject(keys, value, apps)
        let end = end(keys, value, of: subject)
        let (by, why) = (reason("by", "who muted it", keys, value), reason("why", "the reason", keys, value))
        guard problems.count == found, let end, let by, let why else { return nil }
        return Mute(number: number, subject, until: end, by: by, why: why, at: location(of: value))
    }

    private mutating func subject(
        _ keys: [String: YAMLValue], _ value: YAMLValue, _ apps: [Slug]
    ) -> Mute.Subject {
        if subjectKeys.allSatisfy({ keys[$0] == nil }) {
            add(
                "config.mute-subject", "Mute has no subject", at: value,
                hints: [
                    "add one or more of: \(subjectKeys.joined(separator: ", ")); 'app: all' is all activity"
                ])
        }
        let app = word(keys["app"], of: ["all"] + apps.map(\.text), "app")
        let kind = word(keys["kind"], of: eventKeys, "kind of event")
        return Mute.Subject(
            app: app.flatMap { name in apps.first { $0.text == name } },
            kind: kind.flatMap(EventKind.init(key:)),
            issue: text(keys["issue"]), version: text(keys["version"]), source: text(keys["source"]))
    }

    /// One of some words that are known only when the file is read, such as the ids of the apps; nil when there is
    /// none.
    package mutating func word(_ value: YAMLValue?, of words: [String], _ what: String) -> String? {
        guard let value, let text = text(value) else { return nil }
        if words.contains(text) { return text }
        add(
            "yaml.unknown-word", "Unknown \(what) '\(text)'", at: value,
            hints: [
                words.isEmpty
                    ? "remove it: the configuration has no \(what)" : nameHint(for: text, among: words)
            ])
        return nil
    }

    private mutating func end(
        _ keys: [String: YAMLValue], _ value: YAMLValue, of subject: Mute.Subject
    ) -> Mute.End? {
        let ends = endKeys.filter { keys[$0] != nil }
        if ends.isEmpty {
            add(
                "config.mute-end", "Mute has no end", at: value,
                hints: ["add one of: \(endKeys.joined(separator: ", "))"])
        }
        if let forever = keys["forever"], flag(forever) != nil {
            if forever.scalar != "true" || ends.count > 1 {
                add(
                    "config.mute-end", "'forever' must be 'true', without another end", at: forever,
                    hints: ["remove it, or the other end"])
            }
        }
        return Mute.End(
            date: date(keys["until"]), version: text(keys["untilVersion"]),
            level: level(keys["untilLevel"], of: subject))
    }

    /// A civil day; nil when there is none.
    mutating func date(_ value: YAMLValue?) -> CivilDate? {
        guard let text = text(value) else { return nil }
        if let date = CivilDate(text) { return date }
        add("config.bad-date", "'\(text)' is not a day", at: value, hints: ["write it as 2026-12-01"])
        return nil
    }

    /// A level in the figures that the kind has, or that issues have; any figure for a mute of all else.
    private mutating func level(_ value: YAMLValue?, of subject: Mute.Subject) -> AlertLevel? {
        guard let value else { return nil }
        let ofAll = subject.issue == nil ? AlertLevel.Measure.allCases : EventKind.newIssue.measures
        let measures = subject.kind?.measures ?? ofAll
        if measures.isEmpty, let kind = subject.kind {
            add(
                "config.mute-level", "'\(kind.key)' has no level", at: value,
                hints: ["use until, untilVersion or forever"])
            return nil
        }
        guard let keys = mapping(value, keys: measures.map(\.rawValue)) else { return nil }
        let level = AlertLevel(
            users: count(keys["users"], in: 1...1_000_000_000),
            share: number(keys["share"], in: 0...largestShare(of: subject)),
            points: number(keys["points"], in: 0...100))
        if keys.isEmpty {
            add(
                "config.mute-level", "Mute level is empty", at: value,
                hints: ["add one or more of: \(measures.map(\.rawValue).joined(separator: ", "))"])
        }
        return level
    }

    /// The largest share of the kinds that a mute may be of.
    private func largestShare(of subject: Mute.Subject) -> Double {
        if let kind = subject.kind { return kind.largestShare }
        let ofAll = subject.issue == nil ? EventKind.allCases : [.newIssue]
        return ofAll.map(\.largestShare).max() ?? 100
    }

    private mutating func reason(
        _ key: String, _ what: String, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> String? {
        if let found = keys[key] { return text(found) }
        add(
            "config.missing-key", "Mute lacks the key '\(key)'", at: value, hints: ["add '\(key)': \(what)"]
        )
        return nil
    }
}

private let subjectKeys = ["app", "kind", "issue", "version", "source"]
private let endKeys = ["until", "untilVersion", "untilLevel", "forever"]
