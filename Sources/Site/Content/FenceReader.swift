import Analysis
import AppHealth
import Configuration
import Diagnostics
import Markup
import Pages

/// Reads what the fences of a content page request.
///
/// - Parameters:
///   - text: the text of the page without its front matter.
///   - firstLine: the line of the file on which the text begins, counted from 1.
///   - apps: the apps of the configuration.
/// - Returns: one request for each outermost fence while nothing is wrong, and everything that is wrong.
func readFences(
    _ text: String, path: String, firstLine: Int, apps: [Slug]
) -> ([LiveFence], [Diagnostic]) {
    var read: [LiveFence] = []
    var problems: [Diagnostic] = []
    for fence in fences(inCommonMark: text, named: LiveFence.names) {
        let line = firstLine + fence.lines.lowerBound - 1
        guard fence.isOutermost else {
            problems.append(
                .usage(
                    "content.nested-fence", "Fence '\(fence.name)' is inside a list or quote",
                    at: .file(path: path, line: line, column: 1),
                    hints: ["move it out"]))
            continue
        }
        var (file, value) = YAMLFile.read(fence.body, path: path, firstLine: line + 1)
        if let value, !fence.body.allSatisfy(\.isWhitespace) {
            if let request = fence.name == "chart" ? file.chart(value, apps) : file.block(value, apps) {
                read.append(request)
            }
        } else if file.problems.isEmpty {
            problems.append(
                .usage(
                    "content.empty-fence", "Empty \(fence.name) fence",
                    at: .file(path: path, line: line, column: 1),
                    hints: ["add a line 'kind: …' and, for most kinds, a line 'app: …'"]))
        }
        problems += file.problems
    }
    return (read, problems)
}

extension YAMLFile {
    fileprivate mutating func chart(_ value: YAMLValue, _ apps: [Slug]) -> LiveFence? {
        let found = problems.count
        guard let keys = mapping(value, keys: ["kind"] + keys(of: ChartKind.allCases.map(\.keys))),
            let kind = kind(ChartKind.self, keys, value)
        else { return nil }
        refuse(keys, beyond: kind.keys, of: "chart '\(kind.rawValue)'")
        let app = app(keys, value, apps, isNeeded: kind.keys.contains("app"))
        let request = ChartRequest(
            kind: kind, app: app, span: count(keys["span"], in: kind.spans),
            basis: choice(keys["basis"], of: Basis.self), release: text(keys["release"]),
            issue: text(keys["issue"]))
        if kind == .issueEvents, keys["issue"] == nil {
            add(
                "content.missing-key", "Chart has no issue", at: value,
                hints: ["add 'issue': the id that its source gives it"])
        }
        if let span = keys["span"] ?? keys["basis"], request.release != nil {
            add(
                "content.unfit-key", "Chart of one release always shows its lifetime in sessions", at: span,
                hints: ["remove this line, or the release"])
        }
        return problems.count == found ? LiveFence(.chart(request), places: places(of: keys)) : nil
    }

    fileprivate mutating func block(_ value: YAMLValue, _ apps: [Slug]) -> LiveFence? {
        let found = problems.count
        guard let keys = mapping(value, keys: ["kind"] + keys(of: BlockKind.allCases.map(\.keys))),
            let kind = kind(BlockKind.self, keys, value)
        else { return nil }
        refuse(keys, beyond: kind.keys, of: "block '\(kind.rawValue)'")
        let app = app(keys, value, apps, isNeeded: true)
        let limit = count(keys["limit"], in: 1...100)
        guard problems.count == found, let app else { return nil }
        let request = BlockRequest(kind: kind, app: app, limit: limit)
        return LiveFence(.block(request), places: places(of: keys))
    }

    private func keys(of kinds: [[String]]) -> [String] { Set(kinds.joined()).sorted() }

    private func places(of keys: [String: YAMLValue]) -> [String: Location] {
        keys.mapValues { location(of: $0) }
    }

    private mutating func kind<Kind: RawRepresentable<String> & CaseIterable>(
        _ type: Kind.Type, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> Kind? {
        if let kind = keys["kind"] { return choice(kind, of: type) }
        add(
            "content.missing-key", "Fence has no kind", at: value,
            hints: ["add 'kind': one of \(type.allCases.map(\.rawValue).joined(separator: ", "))"])
        return nil
    }

    /// The app that is named, or the only one there is.
    private mutating func app(
        _ keys: [String: YAMLValue], _ value: YAMLValue, _ apps: [Slug], isNeeded: Bool
    ) -> Slug? {
        if let named = keys["app"] {
            let name = word(named, of: apps.map(\.text), "app")
            return apps.first { $0.text == name }
        }
        guard isNeeded else { return nil }
        if apps.count == 1 { return apps.first }
        add(
            "content.missing-key", "Fence has no app", at: value,
            hints: [
                apps.isEmpty
                    ? "remove it: the configuration has no app"
                    : "add 'app': one of \(apps.prefix(20).map(\.text).joined(separator: ", "))"
            ])
        return nil
    }

    private mutating func refuse(
        _ keys: [String: YAMLValue], beyond fitting: [String], of what: String
    ) {
        for (key, value) in keys.sorted(by: { $0.key < $1.key }) where key != "kind" && !fitting.contains(key)
        {
            add(
                "content.unfit-key", "Key '\(key)' is not allowed for the \(what)", at: value,
                hints: [
                    fitting.isEmpty
                        ? "remove it; this kind has no other keys"
                        : "remove it, or use one of: \(fitting.joined(separator: ", "))"
                ])
        }
    }
}
