import Foundation
import Pages
import Testing

@testable import Site

/// Drawings and numbers next to the pages.
struct ChartFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyChartHasItsFilesAndEveryFileItsLinks() async throws {
        _ = try await build(sampleInput(folder.path + "/site"))
        let tree = try folder.tree("site")
        let drawings = tree.keys.filter { $0.hasSuffix(".svg") && $0.contains("chart-") }
        #expect(drawings.count > 10)
        for path in drawings {
            let (folder, name) = split(path)
            #expect(XMLTree(Array(tree[path, default: ""].utf8)) != nil, "\(path)")
            #expect(tree[path.dropLast(3) + "csv"] != nil, "\(path)")
            #expect(tree[folder + "index.html"]?.contains("href=\"\(name)\"") == true, "\(path)")
            #expect(tree[folder + "index.md"]?.contains("](\(name))") == true, "\(path)")
        }
        let linked = tree.filter { $0.key.hasSuffix(".html") }.flatMap { path, text in
            text.matches(of: /href="(chart-[^"]+)"/).map { split(path).folder + $0.1 }
        }
        #expect(Set(linked).isSubset(of: tree.keys))
    }

    private func split(_ path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/")
        return (
            slash.map { String(path[...$0]) } ?? "",
            slash.map { String(path[path.index(after: $0)...]) } ?? path
        )
    }
}
