import Analysis
import AppHealth
import Diagnostics
import Testing

@testable import Pages
@testable import Site

struct FenceTests {
    private static let apps = [App.harbour.id, App.lantern.id]

    /// The body of a fence, and what it requests.
    @Test(arguments: [
        (
            "chart", "kind: crash-free\napp: harbour\nspan: 30\nbasis: sessions",
            LiveRequest.chart(
                ChartRequest(kind: .crashFree, app: App.harbour.id, span: 30, basis: .sessions))
        ),
        (
            "chart", "{kind: crash-free, app: lantern, release: '2.0'}",
            .chart(ChartRequest(kind: .crashFree, app: App.lantern.id, release: "2.0"))
        ),
        (
            "chart", "kind: issue-events\napp: harbour\nissue: issue-0",
            .chart(ChartRequest(kind: .issueEvents, app: App.harbour.id, issue: "issue-0"))
        ),
        ("chart", "kind: small-multiples", .chart(ChartRequest(kind: .smallMultiples))),
        (
            "block", "kind: top-issues\napp: harbour\nlimit: 3",
            .block(BlockRequest(kind: .topIssues, app: App.harbour.id, limit: 3))
        ),
        ("block", "kind: budget\napp: harbour", .block(BlockRequest(kind: .budget, app: App.harbour.id))),
    ])
    func fenceBecomesARequest(name: String, body: String, expected: LiveRequest) {
        let (fences, problems) = readFences(
            "```\(name)\n\(body)\n```", path: "a.md", firstLine: 1, apps: Self.apps)
        #expect(problems == [])
        #expect(fences.map(\.request) == [expected])
    }

    /// A text, the expected `id:line:column`, and a word of the hint.
    @Test(arguments: [
        ("```chart\nkind: crash-fre\napp: harbour\n```", "yaml.unknown-word:12:7", "crash-free"),
        ("```chart\nkind: small-multiples\nap: harbour\n```", "yaml.unknown-key:13:1", "app"),
        ("```chart\nkind: usage\napp: harbor\n```", "yaml.unknown-word:13:6", "harbour"),
        ("a\n\n```chart\nkind: usage\n```", "content.missing-key:14:1", "harbour, lantern"),
        ("```chart\napp: harbour\n```", "content.missing-key:12:1", "crash-free"),
        ("```chart\nkind: age\napp: harbour\nspan: 7\n```", "content.unfit-key:14:7", "app"),
        ("```chart\nkind: small-multiples\napp: harbour\n```", "content.unfit-key:13:6", "no other keys"),
        ("```chart\nkind: usage\napp: harbour\nspan: 3\n```", "yaml.wrong-type:14:7", ""),
        ("```chart\nkind: issue-events\napp: harbour\n```", "content.missing-key:12:1", "issue"),
        (
            "```chart\nkind: crash-free\napp: harbour\nrelease: '2.0'\nspan: 30\n```",
            "content.unfit-key:15:7", "release"
        ),
        ("```block\nkind: tiles\napp: harbour\nlimit: 2\n```", "content.unfit-key:14:8", "app"),
        ("```block\nkind: verdict\nkind: tiles\n```", "yaml.duplicate-key:13:1", ""),
        ("```block\n- verdict\n```", "yaml.wrong-type:12:1", "keys"),
        ("```block\nkind: 'verdict\n```", "yaml.syntax:13:1", ""),
        ("x\n```block\n```", "content.empty-fence:12:1", "kind"),
        ("- ```block\n  kind: tiles\n  ```", "content.nested-fence:11:1", "out"),
    ])
    func mistakeIsReportedWithItsPlace(text: String, place: String, hint: String) {
        let (_, problems) = readFences(text, path: "a.md", firstLine: 11, apps: Self.apps)
        let reported = problems.map { "\($0.id):" + ($0.location.map { "\($0)".dropFirst(5) } ?? "") }
        #expect(reported == [place])
        #expect(problems.allSatisfy { $0.hints.joined().contains(hint) })
    }

    @Test func theOnlyAppNeedsNoName() {
        let (fences, _) = readFences(
            "```block\nkind: tiles\n```", path: "a.md", firstLine: 1, apps: [App.harbour.id])
        #expect(fences.map(\.request) == [.block(BlockRequest(kind: .tiles, app: App.harbour.id))])
    }
}
