import Diagnostics
import Testing

struct DiagnosticTests {
    @Test func severitiesAreOrdered() {
        #expect(Diagnostic.Severity.allCases.shuffled().sorted() == [.note, .warning, .error])
    }

    @Test func shorthandsMakeTheWholeDiagnostic() {
        let place = Location.address("https://example.org")
        #expect(
            Diagnostic.error("a.b", "Broken", details: ["c"], at: place, hints: ["mend it"])
                == Diagnostic(
                    .error, id: "a.b", "Broken", details: ["c"], location: place, hints: ["mend it"]))
        #expect(Diagnostic.warning("a.b", "Odd") == Diagnostic(.warning, id: "a.b", "Odd"))
    }

    @Test func diagnosticTellsItself() {
        let warning = Diagnostic.warning("a.b", "Odd")
        #expect(warning.diagnostic == warning)
    }

    @Test func listOfDiagnosticsIsNeverEmpty() {
        #expect(Diagnostics([]).list.map(\.severity) == [.error])
        #expect(Diagnostics([.warning("a", "b")]).list == [.warning("a", "b")])
    }

    @Test(arguments: [
        (Location.file(path: "Themes/a.html"), "Themes/a.html"),
        (.file(path: "Themes/a.html", line: 3), "Themes/a.html:3"),
        (.file(path: "Themes/a.html", line: 3, column: 14), "Themes/a.html:3:14"),
        (.keyPath(document: "GET /errors", path: "groups[3].totals"), "GET /errors: groups[3].totals"),
        (.keyPath(document: "plimsoll.yml", path: ""), "plimsoll.yml"),
        (.address("https://example.org/a?b=c"), "https://example.org/a?b=c"),
    ])
    func locationIsWrittenAsAPersonWouldLookForIt(location: Location, text: String) {
        #expect("\(location)" == text)
    }
}
