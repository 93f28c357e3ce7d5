import Foundation
import Testing

/// Words that must not come back: in pages, messages, comments and names.
///
/// They are riddles, archaic verbs or second words for a thing that has one. Each has the word to use instead.
struct WordTests {
    /// The word or the phrase, whole words in any case, and what is written instead.
    private static let words: [(String, instead: String)] = [
        ("told", "shown, reported"), ("stands", "is, stays"), ("stood", "was"), ("let expect", "expected"),
        ("beside", "next to, vs."), ("anew", "again"), ("nobody", "no"), ("looked at", "checked"),
        ("left out", "hidden, skipped"), ("mend", "fix"), ("mended", "fixed"), ("wild", "outlier"),
        ("cannot be had", "not available"), ("cannot know", "doesn't provide"),
        ("not knowable", "not available"),
        ("twin", "Markdown version"), ("twins", "Markdown versions"), ("sighting", "event"),
        ("sightings", "events"), ("met a crash", "affected"), ("who met", "affected"),
        ("sure at every look", "always-valid interval"), ("roll-out", "verdict"), ("invented", "made up"),
        ("code place", "code location"), ("code places", "code locations"),
        ("numbers behind it", "data table"),
        ("what it rests on", "reasons"), ("nothing happened", "no activity"), ("points of the fall", "pp"),
        ("colour", "color"), ("colours", "colors"), ("neighbour", "neighbor"), ("neighbours", "neighbors"),
        ("judgement", "judgment, verdict"), ("judgements", "verdicts"), ("cancelled", "canceled"),
        ("parted into", "split into"), ("reckoned", "calculated"), ("forgets", "drops, removes"),
        ("rests on", "is based on"), ("somebody wrote", "was added"), ("what did not agree", "mismatches"),
        ("why it fell", "why it dropped"), ("as known now", "current"), ("as told then", "first reported"),
        ("five states", "data states"), ("who reads it", "audience"), ("side by side", "all apps, compared"),
        ("daily users of", "user-days"), ("last events", "recent activity"),
        ("demonstration", "demo"), ("nothing to compare it with", "no earlier release to compare with"),
        ("asks nothing", "sends nothing"), ("leave it the time", "allow more time"),
        ("not known by release", "no data by release"), ("no event concerns it", "no activity"),
        ("no page here", "page not found"), ("way of the data", "how it works"),
        ("less noise", "alerts and mutes"),
        ("make it your own", "customize"), ("greatest rise first", "largest increase first"),
        ("late reports", "late data"), ("at as many sessions", "same session count"),
        ("labelled", "labeled"), ("behaviour", "behavior"), ("organisation", "organization"),
        ("recognised", "recognized"), ("analysed", "analyzed"), ("centre", "center"), ("grey", "gray"),
    ]

    /// Words that are second ones in names alone: texts have them for what they mean.
    private static let wordsOfNames: [(String, instead: String)] = [
        ("tells", "reports, says"), ("telling", "reporting"), ("spoken", "reported"), ("fall", "drop"),
        ("falls", "drops"), ("fallen", "dropped"), ("fate", "disposition"),
    ]

    /// Words that names have for a reason: the first is one of Swift.
    private static let wordsThatNamesHave: Set<String> = ["cancelled", "labelled"]

    /// Text that has one of the words for a reason.
    private static let exceptions = [
        // The file of a theme that users override.
        "colours.css",
        // The key that users of a theme wrote before, and the check that they may have silenced.
        "check.colour",
        // A color of CSS.
        "\"grey\": 0x808080",
        // A column of the archive.
        "told TEXT", "told IS", "told, told_size", "\"told\"",
    ]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test func noWordThatMustNotComeBack() throws {
        let pattern = try NSRegularExpression(
            pattern: "\\b(" + Self.words.map(\.0).joined(separator: "|") + ")\\b", options: .caseInsensitive)
        var found: [String] = []
        for path in try texts() {
            let text = try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                var rest = String(line)
                for exception in Self.exceptions { rest = rest.replacing(exception, with: "") }
                let range = NSRange(rest.startIndex..., in: rest)
                if let hit = pattern.firstMatch(in: rest, range: range), let at = Range(hit.range, in: rest) {
                    found.append("\(path):\(number + 1): \(rest[at])")
                }
            }
        }
        #expect(found == [], "See `words` for what to write instead.")
    }

    /// Names have them between capitals, where they are no whole words.
    @Test func noNameHasAWordThatMustNotComeBack() throws {
        var found: [String] = []
        for path in try texts() where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
            found += try Self.wordsInNames(of: text).map { "\(path): \($0)" }
        }
        #expect(found == [], "See `words` and `wordsOfNames` for what to write instead.")
    }

    @Test(arguments: [
        ("let toldAgain = 1", ["told"]), ("struct SightingTests", ["Sighting"]), ("isTold", ["Told"]),
        ("ofAll + ofFall", ["Fall"]), ("URLTwin", ["Twin"]), ("waterfall", []), ("Fallback", []),
        ("told", []),
        ("isCancelled", []),
    ])
    func wordsAreFoundInNames(text: String, expected: [String]) throws {
        #expect(try Self.wordsInNames(of: text) == expected)
    }

    private static func wordsInNames(of text: String) throws -> [String] {
        let words = (words + wordsOfNames).map(\.0).filter {
            !$0.contains(" ") && !wordsThatNamesHave.contains($0)
        }
        let (plain, capital) = (words.joined(separator: "|"), words.map(\.capitalized).joined(separator: "|"))
        let pattern = try NSRegularExpression(
            pattern: "(?<=[A-Za-z0-9])(?:\(capital))(?![a-z])|\\b(?:\(plain)|\(capital))(?=[A-Z])")
        return pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
            Range($0.range, in: text).map { String(text[$0]) }
        }
    }

    @Test func everyWordHasAnotherInstead() {
        let all = Self.words + Self.wordsOfNames
        #expect(all.allSatisfy { !$0.instead.isEmpty })
        #expect(Set(all.map(\.0)).count == all.count)
    }

    /// The texts of the project, without data, pictures and the made-up notes of the demo's people.
    private func texts() throws -> [String] {
        let endings = ["swift", "md", "html", "css", "yml", "h", "sh", "cron", "service", "timer"]
        return try ["Sources", "Tests", "Themes", "Content"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/" + folder).map {
                "\(folder)/\($0)"
            }
        }.filter { path in
            endings.contains { path.hasSuffix("." + $0) } && !path.hasSuffix("WordTests.swift")
        } + ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile"]
    }
}
