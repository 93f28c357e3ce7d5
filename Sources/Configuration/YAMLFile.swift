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
            file.add(syntax: error)
        } catch {
            file.add(syntax: nil)
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

    private mutating func add(syntax error: YamlError?) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let place = Location.file(path: path, line: mark.line + firstLine - 1, column: mark.column)
            problems.append(
                .usage(
                    "yaml.syntax", "Not valid YAML: \(problem)", at: place,
                    hints: ["check the indentation and the quotes"]))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.map { "'\($0)'" }.sorted().joined(separator: ", ")
            let place = Location.file(
                path: path, line: context.mark.line + firstLine - 1, column: context.mark.column)
            problems.append(
                .usage(
                    "yaml.duplicate-key", "Duplicate key \(keys)", at: place,
                    hints: ["keep one of them"]))
        default:
            problems.append(
                .usage(
                    "yaml.syntax", "Not valid YAML", at: .file(path: path),
                    hints: ["check that the file is UTF-8 text"]))
        }
    }
}

/// The text without the mark with which some editors begin a file. The parser takes it for a value.
private func withoutByteOrderMark(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(text.unicodeScalars.dropFirst())
}
