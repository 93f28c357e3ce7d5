import Foundation
import Testing

/// The folders of `Analysis` are layers: what is declared in one is named in it and in those above it alone.
struct AnalysisLayersTests {
    /// From the lowest to the highest.
    private static let layers = [
        "Facts", "Trends", "Verdicts", "Events", "Ledger", "Control", "Sections", "Audience",
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Analysis")
        .path

    @Test func everyFolderIsALayer() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(found) == Set(Self.layers))
    }

    @Test func arrowsOfFoldersPointOneWay() throws {
        let code = try Dictionary(
            uniqueKeysWithValues: Self.layers.map { ($0, try Self.code(of: $0)) })
        for (place, layer) in Self.layers.enumerated() {
            let above = Set(Self.layers[(place + 1)...].flatMap { Self.declared(in: code[$0] ?? []) })
            for line in code[layer] ?? [] {
                let named = Set(line.matches(of: /[A-Z][A-Za-z0-9]*/).map { String($0.0) })
                #expect(named.isDisjoint(with: above), "\(layer): \(line)")
            }
        }
    }

    /// The lines of code of a layer.
    private static func code(of layer: String) throws -> [Substring] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + layer)
            .filter { $0.hasSuffix(".swift") }.flatMap { file in
                try String(contentsOfFile: "\(folder)/\(layer)/\(file)", encoding: .utf8)
                    .split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            }
    }

    /// The types that other files can name.
    private static func declared(in lines: [Substring]) -> [String] {
        lines.compactMap { line in
            line.prefixMatch(of: /(?:package )?(?:struct|enum|protocol|actor) (\w+)/).map { String($0.1) }
        }
    }
}
