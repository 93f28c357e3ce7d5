import AppHealth
import Testing

@testable import Analysis

struct IssuesByIDTests {
    @Test(arguments: [
        ([], []), ([("b", "1"), ("a", "2")], ["b 1", "a 2"]),
        // Of several with the same id the last one is known.
        ([("a", "1"), ("b", "2"), ("a", "3")], ["b 2", "a 3"]),
        ([("a", "1"), ("a", "2")], ["a 2"]),
    ])
    func everyIssueIsFoundById(issues: [(id: String, title: String)], known: [String]) {
        let found = IssuesByID(issues.map { Issue(id: $0.id, title: $0.title) })
        #expect(found.all.map { "\($0.id) \($0.title)" } == known)
        #expect(found.ids.compactMap { found[$0].map { "\($0.id) \($0.title)" } } == known)
        #expect(found["c"] == nil)
    }
}
