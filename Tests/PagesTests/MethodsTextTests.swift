import Foundation
import Testing

/// The texts of the methods page hold no number of their own: each comes from the constant that the code uses.
struct MethodsTextTests {
    private static let sources: String =
        #filePath.components(separatedBy: "/Tests/PagesTests/").first.map { $0 + "/Sources/" } ?? ""

    @Test(arguments: [
        "Pages/Site/MethodsTexts.swift", "Pages/Sentences/RuleStatements.swift",
    ]) func textHoldsNoNumberOfItsOwn(file: String) throws {
        let text = try String(contentsOfFile: Self.sources + file, encoding: .utf8)
        let reported = literals(in: text).compactMap { ownNumber(in: $0).map { number in "\(number)" } }
        #expect(reported == [], "\(file)")
    }

    @Test(arguments: [
        ("over 28 days", true), ("over \\(span) days", false), ("over \\(f(28)) days", false),
        ("1 − crashed ÷ all", false), ("(1 − target) × all", false), ("Day 0 of a release", false),
        ("the fourteen days", true), ("p < 0.01", true),
        ("Math. Stat. 12 (1941)", false), ("", false),
    ]) func scannerSeesOwnNumbers(text: String, isFound: Bool) {
        #expect((ownNumber(in: text) != nil) == isFound, "\(text)")
    }
}

/// What is in a formula or names things and is no constant: the one of a complement, the first day, the two
/// sides of a comparison, the one issue of a sentence.
private let allowed = ["1 − ", "Day 0 ", "two counts", "two successive snapshots", "by 1 issue"]

/// Numbers in words that a text might hide a constant in.
private let words = [
    "two", "three", "four", "five", "seven", "ten", "twelve", "fourteen", "twenty", "thirty", "ninety",
]

/// The first number of a literal that is written out, unless the literal is a reference to a paper.
private func ownNumber(in literal: String) -> String? {
    if literal.contains(/\((18|19|20)\d\d\)/) { return nil }
    var text = literal
    for name in allowed { text = text.replacing(name, with: "") }
    var depth = 0
    var plain = ""
    var before: Character = " "
    for character in text {
        if depth > 0 {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
        } else if before == "\\", character == "(" {
            depth = 1
        } else {
            plain.append(character)
        }
        before = character
    }
    if let digits = plain.firstMatch(of: /\d+/) { return String(digits.0) }
    let found = plain.lowercased().split { !$0.isLetter }
    return found.first { words.contains(String($0)) }.map(String.init)
}

/// The string literals of a source that a reader sees: not those in comments, of one word, or of addresses.
private func literals(in source: String) -> [String] {
    var found: [String] = []
    for line in source.split(separator: "\n") {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { continue }
        found += quoted(in: Substring(code))
        // Lines of a text over several lines have no quotes.
        if !code.contains("\""), code.hasSuffix("\\") { found.append(String(code)) }
    }
    return found.filter { $0.contains(" ") }
}

/// The texts between quotes of a line; quotes within an interpolation are part of it.
private func quoted(in line: Substring) -> [String] {
    var found: [String] = []
    var text = ""
    var isInside = false
    var depth = 0
    var before: Character = " "
    for character in line {
        if isInside, depth == 0, character == "\"", before != "\\" {
            found.append(text)
            (text, isInside) = ("", false)
        } else if isInside {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if character == "(", before == "\\" {
                depth = 1
            }
            text.append(character)
        } else if character == "\"" {
            isInside = true
        }
        before = character
    }
    return found
}
