import Diagnostics
import Testing

@testable import PlimsollCommand

struct NamedSummariesTests {
    /// An error names the summaries that it is about, so many of them, unless its own words do.
    @Test(
        arguments: [
            ([], ["down"]), (["buoy 1.4"], ["summary: buoy 1.4", "down"]),
            (["buoy 1.4", "lamp 1.4"], ["summaries: buoy 1.4, lamp 1.4", "down"]),
            (["2026-W47"], ["summary: 2026-W47", "down"]), (["ferry 2.0"], ["down"]),
            (
                (1...50).map { "a\($0) 1" },
                [
                    "summaries: a1 1, a2 1, a3 1, a4 1, a5 1, a6 1, a7 1, a8 1, a9 1, a10 1 and 40 more",
                    "down",
                ]
            ),
        ] as [([String], [String])])
    func anErrorNamesItsSummaries(names: [String], details: [String]) {
        let failure = Diagnostic.error("attach.refused", "Cannot send ferry 2.0", details: ["down"])
        let named = naming(names, in: failure)
        #expect(named.details == details && named.summary == failure.summary)
    }
}
