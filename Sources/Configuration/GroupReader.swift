import AppHealth
import Diagnostics

/// The most characters that the name of a group may have.
let longestGroupName = 80

extension YAMLFile {
    /// The name of a group of apps, with single spaces; nil when there is none.
    mutating func groupName(_ value: YAMLValue?) -> String? {
        guard let value, let text = text(value) else { return nil }
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if name.isEmpty || name.unicodeScalars.contains(where: \.isUnsafe) {
            add(
                "config.group", "Group name is empty or has control characters", at: value,
                hints: ["write one line of plain text, such as 'group: Photo tools'"])
            return nil
        }
        guard name.count <= longestGroupName else {
            add(
                "config.group", "Group name has \(name.count) characters, limit \(longestGroupName)",
                at: value,
                hints: ["shorten it"])
            return nil
        }
        return name
    }

    /// Warns of a group whose name differs from that of an app above in case alone, which makes two groups.
    mutating func warnOfNearGroup(_ name: String, among apps: [AppConfiguration], at value: YAMLValue) {
        let names = apps.compactMap(\.app.group)
        guard !names.contains(name),
            let near = names.first(where: { $0.lowercased() == name.lowercased() })
        else { return }
        warn(
            "config.near-group", "Groups '\(name)' and '\(near)' differ in case alone", at: value,
            hints: ["write one of them in both apps to have one group"])
    }
}
