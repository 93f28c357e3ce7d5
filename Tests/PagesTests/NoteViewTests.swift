import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

struct NoteViewTests {
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
