import Diagnostics
import Yams

/// A value of a YAML document with its place and with the key that led to it.
package struct YAMLValue {
    let node: Node
    /// The path of keys: `apps[1].targets.target`; empty for the document.
    package let key: String

    /// The whole number below a key; nil when there is none.
    func wholeNumber(_ key: String) -> Int? { node.mapping?[key]?.scalar.flatMap { Int($0.string) } }

    /// The words of the value when it is a scalar.
    package var scalar: String? { node.scalar?.string }

    /// Whether it has keys.
    var isMapping: Bool { node.mapping != nil }

    /// What kind of value it is, in words.
    var kind: String {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "'\(scalar.string.prefix(60))'"
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }
}

extension YAMLFile {
    /// The values of a mapping by key; keys that are unknown are problems, with the nearest one that is.
    package mutating func mapping(_ value: YAMLValue, keys: [String]) -> [String: YAMLValue]? {
        guard let mapping = value.node.mapping else {
            add(
                "yaml.wrong-type", "\(named(value)): expected a mapping, found \(value.kind)", at: value,
                hints: ["write keys: \(keys.joined(separator: ", "))"])
            return nil
        }
        var result: [String: YAMLValue] = [:]
        for (keyNode, child) in mapping {
            let key = keyNode.scalar?.string ?? ""
            guard keys.contains(key) else {
                unknown(key, YAMLValue(node: keyNode, key: value.key), keys)
                continue
            }
            result[key] = YAMLValue(node: child, key: value.key.isEmpty ? key : "\(value.key).\(key)")
        }
        return result
    }

    /// The elements of a list.
    package mutating func list(_ value: YAMLValue?) -> [YAMLValue]? {
        guard let value else { return nil }
        guard let sequence = value.node.sequence else {
            add(
                "yaml.wrong-type", "\(named(value)): expected a list, found \(value.kind)", at: value,
                hints: ["start each element with '- '"])
            return nil
        }
        return sequence.enumerated().map { YAMLValue(node: $1, key: "\(value.key)[\($0)]") }
    }

    /// A text; nil when there is none.
    package mutating func text(_ value: YAMLValue?) -> String? {
        guard let value else { return nil }
        guard let text = value.scalar, !text.isEmpty else {
            add("yaml.wrong-type", "\(named(value)): expected a text, found \(value.kind)", at: value)
            return nil
        }
        return text
    }

    /// `true` or `false`; nil when there is none.
    package mutating func flag(_ value: YAMLValue?) -> Bool? {
        guard let value else { return nil }
        switch value.scalar {
        case "true": return true
        case "false": return false
        default:
            add("yaml.wrong-type", "\(named(value)): expected true or false, found \(value.kind)", at: value)
            return nil
        }
    }

    /// A number within a range; nil when there is none.
    package mutating func number(_ value: YAMLValue?, in range: ClosedRange<Double>) -> Double? {
        guard let value else { return nil }
        guard let number = value.scalar.flatMap(Double.init), number.isFinite, range.contains(number) else {
            add(
                "yaml.wrong-type",
                "\(named(value)): expected a number from \(short(range.lowerBound)) to \(short(range.upperBound)), found \(value.kind)",
                at: value)
            return nil
        }
        return number
    }

    /// One of some words; nil when there is none.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: YAMLValue?, of type: Choice.Type
    ) -> Choice? {
        guard let value else { return nil }
        return choice(value, among: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    /// One of these words; nil when it is none of them.
    mutating func choice(_ value: YAMLValue, among names: [String]) -> String? {
        guard let text = text(value) else { return nil }
        if names.contains(text) { return text }
        add(
            "yaml.unknown-word", "\(named(value)): '\(text)' is not one of: \(names.joined(separator: ", "))",
            at: value, hints: [nearestHint(for: text, among: names)].compactMap(\.self))
        return nil
    }

    private mutating func unknown(_ key: String, _ value: YAMLValue, _ keys: [String]) {
        let place = value.key.isEmpty ? "" : " in \(value.key)"
        add(
            "yaml.unknown-key", "Unknown key '\(key)'\(place)", at: value,
            hints: [nameHint(for: key, among: keys, most: keys.count)])
    }

    private func named(_ value: YAMLValue) -> String { value.key.isEmpty ? "the document" : value.key }
}

/// A bound without a needless fraction.
private func short(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : "\(number)"
}
