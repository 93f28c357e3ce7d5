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
        // Kinds of declaration of which one would go unseen.
        let events = Self.declared(in: code["Events"] ?? [])
        #expect(["Event", "Rule", "EventIdentity"].allSatisfy(events.contains))
        for (place, layer) in Self.layers.enumerated() {
            let above = Set(Self.layers[(place + 1)...].flatMap { Self.declared(in: code[$0] ?? []) })
            for line in code[layer] ?? [] {
                let named = Set(line.matches(of: /[A-Z][A-Za-z0-9]*/).map { String($0.0) })
                #expect(named.isDisjoint(with: above), "\(layer): \(line)")
            }
        }
    }

    /// Texts of several words in code: names that are permanent, and texts that are one part of what a section holds as
    /// others write it.
    private static let texts: [String: Set<String>] = [
        "Events/EventKind.swift": [
            "Stability Alert", "Issue Velocity Alert", "Usage Anomaly", "Top Issues Summary", "New Issue",
            "New Note", "Regressed Issue", "Source Failure", "Release Verdict", "Withdrawn Alert",
        ],
        "Verdicts/ReleaseVerdict.swift": ["roll back", "not enough data"],
        // In place of the message of a service.
        "Audience/AudienceRedaction.swift": [
            "Couldn't fetch the source", "Part of the response was skipped",
        ],
    ]

    /// Files of notes that Plimsoll writes itself: they are texts as other notes are.
    private static let notes: Set = ["Facts/Sources/SourceChangeNotes.swift"]

    /// Sections hold facts. Their words are made where they are shown.
    @Test func noSentenceIsMade() throws {
        var seen: [String: Set<String>] = [:]
        for layer in Self.layers {
            for file in try Self.files(of: layer) where !Self.notes.contains(file) {
                for line in try Self.lines(of: file) {
                    #expect(!line.contains("\"\"\""), "\(file): \(line)")
                    for text in Self.texts(in: line) { seen[file, default: []].insert(text) }
                }
            }
        }
        #expect(seen == Self.texts)
    }

    @Test(arguments: [
        (#"return "no data since \(day)""#, ["no data since "]), (#"key = "a-b" + "c""#, []),
        (#"id = "\(app.id)/\(rule) \(name(of: day, in: "x"))""#, []), (#"word == "a" || word == "b""#, []),
    ])
    func textsAreFound(line: String, texts: [String]) {
        #expect(Self.texts(in: line[...]) == texts)
    }

    /// The literals of a line that hold two words next to each other, without what is put into them.
    private static func texts(in line: Substring) -> [String] {
        line.replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "")
            .matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
            .filter { $0.contains(/[A-Za-z] [A-Za-z]/) }
    }

    /// The lines of code of a layer.
    private static func code(of layer: String) throws -> [Substring] {
        try files(of: layer).flatMap(lines)
    }

    private static func files(of layer: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + layer)
            .filter { $0.hasSuffix(".swift") }.map { layer + "/" + $0 }
    }

    /// The lines of a file without comments.
    private static func lines(of file: String) throws -> [Substring] {
        try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            .split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
    }

    /// The types that other files can name.
    private static func declared(in lines: [Substring]) -> [String] {
        lines.compactMap { line in
            line.prefixMatch(
                of: /(?:package |indirect |final )*(?:struct|enum|protocol|actor|class|typealias) (\w+)/
            ).map { String($0.1) }
        }
    }
}
