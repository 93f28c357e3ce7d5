package import Diagnostics
import Yams

/// A YAML document with the places of its values, read key by key into types.
///
/// Every reading function adds what is wrong to `problems` and gives nil or a default, so that one reading finds
/// all mistakes of a file.
package struct YAMLFile {
    /// The path as messages show it.
    package let path: String
    /// What was found wrong so far.
    package private(set) var problems: [Diagnostic] = []
    private let firstLine: Int

    /// The text of a file; `firstLine` is the line of the file on which the text begins, counted from 1.
    package static func read(_ text: String, path: String, firstLine: Int = 1) -> (YAMLFile, YAMLValue?) {
        var file = YAMLFile(path: path, firstLine: firstLine)
        let text = withoutByteOrderMark(text)
        if let excess = excess(in: text) {
            file.problems.append(
                .usage(
                    "yaml.too-large", excess.words,
                    at: .file(path: path, line: excess.line + firstLine - 1, column: excess.column),
                    hints: ["write less into one file; use fewer aliases ('*name') in each other"]))
            return (file, nil)
        }
        do {
            guard let node = try Yams.compose(yaml: text) else { return (file, nil) }
            return (file, YAMLValue(node: node, key: ""))
        } catch let error as YamlError {
            file.add(syntax: error, in: text)
        } catch {
            file.add(syntax: nil, in: text)
        }
        return (file, nil)
    }

    private init(path: String, firstLine: Int) {
        self.path = path
        self.firstLine = firstLine
    }

    /// Adds a problem at a value.
    package mutating func add(
        _ id: String, _ summary: String, at value: YAMLValue?, hints: [String] = []
    ) {
        problems.append(.usage(id, summary, at: location(of: value), hints: hints))
    }

    /// Adds what is no mistake but probably not meant, at a value.
    mutating func warn(_ id: String, _ summary: String, at value: YAMLValue?, hints: [String]) {
        problems.append(.warning(id, summary, at: location(of: value), hints: hints))
    }

    /// Where a value is.
    package func location(of value: YAMLValue?) -> Location {
        guard let mark = value?.node.mark else { return .file(path: path) }
        return .file(path: path, line: mark.line + firstLine - 1, column: mark.column)
    }

    private mutating func add(syntax error: YamlError?, in text: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let place = Location.file(path: path, line: mark.line + firstLine - 1, column: mark.column)
            problems.append(
                .usage(
                    "yaml.syntax", "Not valid YAML: \(problem)", at: place,
                    hints: ["check the indentation and the quotes"]))
        case .duplicatedKeysInMapping(let keys, let context):
            let repeated = repeatedKeys(in: text).prefix(Self.mostRepeated)
            problems += repeated.map(duplicate)
            if repeated.isEmpty { problems.append(duplicate(keys, at: context.mark)) }
        default:
            problems.append(
                .usage(
                    "yaml.syntax", "Not valid YAML", at: .file(path: path),
                    hints: ["check that the file is UTF-8 text"]))
        }
    }
}

extension YAMLFile {
    /// How many repeated keys are named: more of them are one mistake.
    private static let mostRepeated = 20

    /// That a key is there twice, at the second place: of the first it says the line.
    private func duplicate(_ repeated: RepeatedKey) -> Diagnostic {
        .usage(
            "yaml.duplicate-key", "Duplicate key '\(repeated.key)'",
            details: ["the first is in line \(repeated.firstLine + firstLine - 1)"],
            at: .file(path: path, line: repeated.line + firstLine - 1, column: repeated.column),
            hints: ["keep one of them"])
    }

    /// The same of keys that are no plain texts, at the first of them.
    private func duplicate(_ keys: [String], at mark: Mark) -> Diagnostic {
        .usage(
            "yaml.duplicate-key", "Duplicate key \(keys.map { "'\($0)'" }.sorted().joined(separator: ", "))",
            at: .file(path: path, line: mark.line + firstLine - 1, column: mark.column),
            hints: ["keep one of them"])
    }
}

/// The text without the mark with which some editors begin a file. The parser takes it for a value.
private func withoutByteOrderMark(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(text.unicodeScalars.dropFirst())
}
