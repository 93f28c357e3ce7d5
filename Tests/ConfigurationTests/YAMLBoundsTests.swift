import Diagnostics
import Testing

@testable import Configuration

/// Documents that are small as text and large as values, below, at and above each bound.
struct YAMLBoundsTests {
    /// Lists of `width` elements, each of which repeats the list before.
    private static func bomb(_ levels: Int, width: Int = 9) -> String {
        let first = "a0: &a0 [" + Array(repeating: "x", count: width).joined(separator: ",") + "]\n"
        return (1..<max(levels, 1)).reduce(first) { text, level in
            let aliases = Array(repeating: "*a\(level - 1)", count: width).joined(separator: ",")
            return text + "a\(level): &a\(level) [\(aliases)]\n"
        }
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func list(_ count: Int) -> String { String(repeating: "- x\n", count: count) }

    private static let documents: [(text: String, words: String?)] = {
        let long = String(repeating: "x", count: YAMLBounds.bytes - 3)
        var rows: [(text: String, words: String?)] = [
            (bomb(4), nil), (bomb(12), "values"), (bomb(60), "values"),
        ]
        rows += [(bomb(3) + "? *a2\n: x\n", nil), (bomb(12) + "? *a11\n: x\n", "values")]
        rows += [(nested(YAMLBounds.depth), nil), (nested(YAMLBounds.depth + 1), "64 deep")]
        // The parser itself gives up on brackets.
        rows += [(nested(100_000), nil), (String(repeating: "- ", count: 100_000), "64 deep")]
        rows += [(list(YAMLBounds.values - 1), nil), (list(YAMLBounds.values), "values")]
        rows += [("a: " + long, nil), ("a: x" + long, "bytes")]
        rows += [("a: &a [*a, *a]\n", nil), ("a: *b\n", nil), ("", nil), ("a: [\n", nil)]
        return rows
    }()

    @Test(arguments: documents.indices)
    func largeDocumentsAreRefusedBeforeTheyAreRead(index: Int) {
        let (text, words) = Self.documents[index]
        let found = excess(in: text)
        #expect((found == nil) == (words == nil), "\(text.prefix(60)): \(found?.words ?? "read")")
        if let words { #expect(found?.words.contains(words) == true, "\(found?.words ?? "")") }
    }

    @Test func theErrorNamesFileAndLine() throws {
        let (file, value) = YAMLFile.read(Self.bomb(12), path: "theme.yml", firstLine: 3)
        #expect(value == nil)
        let problem = try #require(file.problems.first)
        #expect(problem.id == "yaml.too-large" && problem.gravity == .usage)
        #expect(problem.location?.description.hasPrefix("theme.yml:") == true)
    }
}
