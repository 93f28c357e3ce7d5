import Analysis
import AppHealth
import HistoryFixtures
import Markup
import Testing

@testable import Pages

struct NoteViewTests {
    /// The highest heading of a note is next below that of the note, so that no level is skipped on a page.
    @Test(arguments: [
        ("# A\n\n## B", "<h4>A</h4>\n<h5>B</h5>\n"), ("## A", "<h4>A</h4>\n"), ("A\n---", "<h4>A</h4>\n"),
        ("##### A\n\n###### B", "<h4>A</h4>\n<h5>B</h5>\n"), ("## A\n\n# B", "<h5>A</h5>\n<h4>B</h4>\n"),
        ("A", "<p>A</p>\n"),
    ])
    func headingsOfANoteAreBelowThatOfTheNote(text: String, expected: String) {
        #expect(NoteText.html(text, images: true).text == expected)
    }

    /// Of two projects in one app, the issues of the first alone have pages.
    @Test func aNoteOnAnIssueWithoutAPageNamesItAndLeadsNowhere() {
        let facts = AppAnalysis.make().facts
        let scope = AppScope(facts, at: .app(facts.app.id), of: site)
        let issue = AppHealth.Issue(id: "5016", title: "", place: CodePlace(file: "Canvas.swift", line: 41))
        let note = Note(id: "1", at: reportTime, author: "", text: "Seen.", subject: .issue("5016"))
        let other = NoteView(note, about: nil, named: issue, in: scope)
        #expect(other.subject == "Canvas.swift line 41" && other.stem == nil)
        #expect(NoteView(note, about: issue, in: scope).stem != nil)
    }
}
