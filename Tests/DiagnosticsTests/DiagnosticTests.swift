import Diagnostics
import Testing

struct DiagnosticTests {
    @Test func severitiesAreOrdered() {
        #expect(Diagnostic.Severity.allCases.shuffled().sorted() == [.note, .warning, .error])
    }

    @Test func shorthandsMakeTheWholeDiagnostic() {
        let place = Location.address("https://example.org")
        #expect(
            Diagnostic.error("a.b", "Broken", details: ["c"], at: place, hints: ["fix it"])
                == Diagnostic(
                    .error, id: "a.b", "Broken", details: ["c"], location: place, hints: ["fix it"]))
        #expect(Diagnostic.warning("a.b", "Odd") == Diagnostic(.warning, id: "a.b", "Odd"))
    }

    @Test func diagnosticDescribesItself() {
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

struct GravityTests {
    @Test func gravitiesAreOrdered() {
        #expect(Gravity.allCases.shuffled().sorted() == [.remark, .shown, .nothingDone, .usage])
    }

    @Test(arguments: [
        (Diagnostic.warning("a", "Odd"), Gravity.remark), (.error("a", "Broken"), .shown),
        (.usage("a", "Wrong"), .usage), (Diagnostic(.note, id: "a", "Known"), .remark),
    ])
    func gravityFollowsTheFactory(diagnostic: Diagnostic, gravity: Gravity) {
        #expect(diagnostic.gravity == gravity)
        #expect(diagnostic.mapTexts { $0 + "!" }.gravity == gravity)
    }

    /// Thrown together they say that nothing could be done, unless one of them is graver.
    @Test(arguments: [
        ([Diagnostic.warning("a", "Odd")], Gravity.nothingDone), ([.error("a", "Broken")], .nothingDone),
        ([.error("a", "Broken"), .usage("b", "Wrong")], .usage), ([], .nothingDone),
    ])
    func gravestDecides(list: [Diagnostic], gravity: Gravity) {
        #expect(Diagnostics(list).gravity == gravity)
    }
}
