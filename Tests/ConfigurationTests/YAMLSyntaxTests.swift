import Configuration
import Diagnostics
import Testing

struct YAMLSyntaxTests {
    @Test(arguments: [
        Case("tab", "apps:\n\t- id: a\n", "yaml.syntax 2:1 check the indentation and the quotes"),
        Case("quote", "title: 'x\n" + oneApp, "yaml.syntax 7:1 check the indentation and the quotes"),
        Case("bracket", "apps: [{id: a}\n", "yaml.syntax 2:1 check the indentation and the quotes"),
        Case(
            "indentation", "apps:\n  - id: a\n   sources: []\n",
            "yaml.syntax 3:4 check the indentation and the quotes"),
        Case("unknown anchor", "apps: *gone\n", "yaml.syntax 1:7 check the indentation and the quotes"),
        Case(
            "two documents", "title: x\n---\ntitle: y\n",
            "yaml.syntax 2:1 check the indentation and the quotes"),
        Case("control character", "title: \u{1}\n", "yaml.syntax - check that the file is UTF-8 text"),
        Case(
            "duplicate key", "title: x\n" + oneApp + "title: y\n", "yaml.duplicate-key 7:1 keep one of them"),
        Case(
            "duplicate key below", "apps:\n  - id: a\n    id: b\n    sources: []\n",
            "yaml.duplicate-key 3:5 keep one of them"),
        Case(
            "duplicate keys", "title: x\ntheme: a\ntheme: b\n\"title\": y\ntheme: c\napps: []\n",
            "yaml.duplicate-key 3:1 keep one of them", "yaml.duplicate-key 4:1 keep one of them",
            "yaml.duplicate-key 5:1 keep one of them"),
        Case(
            "equal keys of two mappings", "apps: [{id: a, id: b}, {id: a}]\ntargets: {target: 1}\n",
            "yaml.duplicate-key 1:16 keep one of them"),
        Case(
            "a key that is a list, twice", "[a]: x\n[a]: y\napps: []\n",
            "yaml.duplicate-key 1:1 keep one of them"),
    ])
    func faultIsReportedWithItsPlace(one: Case) { check(one) }

    /// The message is at the second place, and names the line of the first, both of the whole file.
    @Test func bothPlacesOfADuplicateKeyAreNamed() {
        let (file, value) = YAMLFile.read("a: 1\nb: 2\na: 3\n", path: "x.md", firstLine: 2)
        #expect(value == nil)
        #expect(
            file.problems == [
                .usage(
                    "yaml.duplicate-key", "Duplicate key 'a'", details: ["the first is in line 2"],
                    at: .file(path: "x.md", line: 4, column: 1), hints: ["keep one of them"])
            ])
    }

    @Test func byteOrderMarkIsNoFault() throws {
        #expect(try configuration("\u{FEFF}title: T\napps: []\n").title == "T")
        check(Case("place", "\u{FEFF}titel: T\napps: []\n", "yaml.unknown-key 1:1 did you mean 'title'?"))
        let (mutes, problems) = readMutes(
            "\u{FEFF}- app: all\n  forever: true\n  by: Ana\n  why: test\n", path: "mutes.yml", apps: [])
        #expect(mutes.count == 1 && problems.isEmpty)
    }

    @Test func nestingWithoutEndIsAFault() {
        for (text, id) in [
            (String(repeating: "[", count: 100_000), "yaml.syntax"),
            (String(repeating: "- ", count: 100_000), "yaml.too-large"),
        ] {
            let (none, problems) = readConfiguration(text, path: "plimsoll.yml", sources: schemas)
            #expect(none == nil)
            #expect(problems.first?.id == id)
        }
    }

    @Test func aliasesThatMultiplyDoNoHarm() {
        var text = "a: &a0 [x, x]\n"
        for level in 1...40 { text += "b\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        let (none, problems) = readConfiguration(
            text + "apps: *a40\n", path: "plimsoll.yml", sources: schemas)
        #expect(none == nil)
        #expect(problems.allSatisfy { $0.id.hasPrefix("yaml.") })
    }

    @Test(arguments: [
        "\u{0}\u{0}\u{0}", "\u{FFFD}PNG\r\n\u{1A}\n", "SQLite format 3\u{0}", "<!DOCTYPE html><html></html>",
        "🚢",
    ])
    func garbageIsAFault(text: String) {
        let (none, problems) = readConfiguration(text, path: "plimsoll.yml", sources: schemas)
        #expect(none == nil)
        #expect(problems.map(\.severity) == [.error])
        #expect(problems.first.map(reported)?.hasPrefix("yaml.") == true)
    }
}
