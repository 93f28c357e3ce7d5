import Analysis
import AppHealth
import Testing

/// Matching of the ledger with the alerts of now: days count from the fixture day.
struct ReconcileTests {
    /// An alert found now: its days, and whether it lasts.
    struct Found: Sendable {
        var days: ClosedRange<Int>
        var isOpen = false
        var subject = ""
        var isOnce = false
        var mostMoved = 0
        var whole: String?
    }

    /// An entry of the ledger: its id, days and state.
    struct Known: Sendable, Equatable {
        var id: String
        var days: ClosedRange<Int>
        var state = LedgerEntry.State.closed
        var subject = ""
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let ledger: [Known]
        let found: [Found]
        /// The id that each found alert has in the end.
        let ids: [String]
        var appended: [Known] = []
        var changed: [Known] = []
        var withdrawn: [Known] = []
        var judged: ClosedRange<Int>? = 0...30
        /// The found alerts that the ledger reports already.
        var hidden: [String] = []

        var testDescription: String { name }
    }

    private static let start = CivilDate(daysSinceEpoch: 20_000)
    private static let app = App(id: Slug(anyText: "harbour"), name: "Harbour")
    private static let captured = Instant(startOf: start).advanced(bySeconds: 40 * 86_400)

    private static func dates(_ days: ClosedRange<Int>) -> ClosedRange<CivilDate> {
        start.advanced(by: days.lowerBound)...start.advanced(by: days.upperBound)
    }

    private static func alert(_ found: Found) -> FoundAlert {
        let tail = found.subject.isEmpty ? "" : "/\(found.subject)"
        var alert = FoundAlert(
            id: "d\(found.days.lowerBound)\(tail)", app: app.id, rule: "stability", subject: found.subject,
            days: dates(found.days), isOpen: found.isOpen, sentence: "now", size: 0.5)
        (alert.isOnce, alert.wholeSubject) = (found.isOnce, found.whole)
        alert.mostMoved = found.mostMoved
        return alert
    }

    private static func entry(_ known: Known, raised: Int = 0) -> LedgerEntry {
        LedgerEntry(
            id: known.id, app: app.id, rule: "stability", subject: known.subject,
            firstDay: start.advanced(by: known.days.lowerBound),
            lastDay: start.advanced(by: known.days.upperBound), raisedAt: Instant(secondsSinceEpoch: raised),
            state: known.state, sentence: "then", reportedSize: 0.25)
    }

    private static func known(_ entries: [LedgerEntry]) -> [Known] {
        entries.map {
            Known(
                id: $0.id, days: start.days(to: $0.firstDay)...start.days(to: $0.lastDay), state: $0.state,
                subject: $0.subject)
        }
    }

    @Test(arguments: [
        Case(name: "nothing", ledger: [], found: [], ids: []),
        Case(
            name: "new", ledger: [], found: [Found(days: 10...12)], ids: ["d10"],
            appended: [Known(id: "d10", days: 10...12)]),
        Case(
            name: "new and lasting", ledger: [], found: [Found(days: 10...12, isOpen: true)], ids: ["d10"],
            appended: [Known(id: "d10", days: 10...12, state: .open)]),
        Case(
            name: "unchanged", ledger: [Known(id: "d10", days: 10...12)], found: [Found(days: 10...12)],
            ids: ["d10"]),
        Case(
            name: "goes on", ledger: [Known(id: "d10", days: 10...12, state: .open)],
            found: [Found(days: 10...13, isOpen: true)], ids: ["d10"],
            changed: [Known(id: "d10", days: 10...13, state: .open)]),
        Case(
            name: "ends", ledger: [Known(id: "d10", days: 10...12, state: .open)],
            found: [Found(days: 10...12)], ids: ["d10"], changed: [Known(id: "d10", days: 10...12)]),
        Case(
            name: "begins earlier", ledger: [Known(id: "d10", days: 10...12)], found: [Found(days: 8...12)],
            ids: ["d10"], changed: [Known(id: "d10", days: 8...12)]),
        Case(
            name: "begins later", ledger: [Known(id: "d10", days: 10...14)], found: [Found(days: 12...14)],
            ids: ["d10"], changed: [Known(id: "d10", days: 12...14)]),
        Case(
            name: "withdrawn", ledger: [Known(id: "d10", days: 10...12)], found: [], ids: [],
            withdrawn: [Known(id: "d10", days: 10...12, state: .withdrawn)]),
        Case(
            name: "withdrawn before", ledger: [Known(id: "d10", days: 10...12, state: .withdrawn)], found: [],
            ids: []),
        Case(
            name: "shown again", ledger: [Known(id: "d10", days: 10...12, state: .withdrawn)],
            found: [Found(days: 11...12)], ids: ["d10"], changed: [Known(id: "d10", days: 11...12)]),
        Case(
            name: "days that cannot be judged", ledger: [Known(id: "d10", days: 10...12)], found: [], ids: [],
            judged: 11...30),
        Case(
            name: "no figures at all", ledger: [Known(id: "d10", days: 10...12)], found: [], ids: [],
            judged: nil),
        Case(
            name: "the rest of one that cannot be judged",
            ledger: [Known(id: "d10", days: 10...20, state: .open)], found: [Found(days: 18...20)],
            ids: ["d10"], judged: 17...30, hidden: ["d18"]),
        Case(
            name: "one that cannot be judged lasts",
            ledger: [Known(id: "d10", days: 10...20)],
            found: [Found(days: 18...22, isOpen: true), Found(days: 17...17)], ids: ["d10", "d10"],
            changed: [Known(id: "d10", days: 10...22, state: .open)], judged: 17...30,
            hidden: ["d17", "d18"]),
        Case(
            name: "after one that cannot be judged", ledger: [Known(id: "d10", days: 10...20, state: .open)],
            found: [Found(days: 21...22)], ids: ["d21"], appended: [Known(id: "d21", days: 21...22)],
            judged: 17...30),
        Case(
            name: "one that cannot be judged is found all the same",
            ledger: [Known(id: "d10", days: 10...20, state: .open)], found: [Found(days: 10...20)],
            ids: ["d10"], changed: [Known(id: "d10", days: 10...20)], judged: 17...30),
        Case(
            name: "one that was withdrawn and cannot be judged comes back",
            ledger: [Known(id: "d10", days: 10...20, state: .withdrawn)], found: [Found(days: 18...20)],
            ids: ["d10"], changed: [Known(id: "d10", days: 18...20)], judged: 17...30),
        Case(
            name: "a single day that late data moved", ledger: [Known(id: "d10", days: 10...10)],
            found: [Found(days: 9...9, mostMoved: 14)], ids: ["d10"],
            changed: [Known(id: "d10", days: 9...9)]),
        Case(
            name: "a single day so far away is another", ledger: [Known(id: "d10", days: 10...10)],
            found: [Found(days: 25...25, mostMoved: 14)], ids: ["d25"],
            appended: [Known(id: "d25", days: 25...25)],
            withdrawn: [Known(id: "d10", days: 10...10, state: .withdrawn)]),
        Case(
            name: "the nearest of single days", ledger: [Known(id: "d10", days: 10...10)],
            found: [Found(days: 11...11, mostMoved: 14), Found(days: 20...20, mostMoved: 14)],
            ids: ["d10", "d20"], appended: [Known(id: "d20", days: 20...20)],
            changed: [Known(id: "d10", days: 11...11)]),
        Case(
            name: "announced once", ledger: [Known(id: "d10", days: 10...10)],
            found: [Found(days: 13...13, isOnce: true)], ids: ["d10"]),
        Case(
            name: "announced once and withdrawn before",
            ledger: [Known(id: "d10", days: 10...10, state: .withdrawn)],
            found: [Found(days: 13...13, isOnce: true)], ids: ["d10"],
            changed: [Known(id: "d10", days: 10...10)]),
        Case(
            name: "two episodes", ledger: [Known(id: "d10", days: 10...12), Known(id: "d20", days: 20...21)],
            found: [Found(days: 19...21), Found(days: 9...12)], ids: ["d20", "d10"],
            changed: [Known(id: "d10", days: 9...12), Known(id: "d20", days: 19...21)]),
        Case(
            name: "a second episode", ledger: [Known(id: "d10", days: 10...12)],
            found: [Found(days: 10...12), Found(days: 20...21)], ids: ["d10", "d20"],
            appended: [Known(id: "d20", days: 20...21)]),
        Case(
            name: "two became one",
            ledger: [Known(id: "d10", days: 10...12), Known(id: "d14", days: 14...15)],
            found: [Found(days: 10...15)], ids: ["d10"], changed: [Known(id: "d10", days: 10...15)]),
        Case(
            name: "two became one, the second lasted",
            ledger: [Known(id: "d10", days: 10...12), Known(id: "d14", days: 14...15, state: .open)],
            found: [Found(days: 10...15)], ids: ["d10"],
            changed: [Known(id: "d10", days: 10...15), Known(id: "d14", days: 14...15)]),
        Case(
            name: "one became two", ledger: [Known(id: "d10", days: 10...15)],
            found: [Found(days: 10...11), Found(days: 13...15)], ids: ["d10", "d13"],
            appended: [Known(id: "d13", days: 13...15)], changed: [Known(id: "d10", days: 10...11)]),
        Case(
            name: "one that became worse on its second day",
            ledger: [Known(id: "d10", days: 10...15, state: .open)],
            found: [Found(days: 10...10), Found(days: 11...15, isOpen: true)], ids: ["d10", "d11"],
            appended: [Known(id: "d11", days: 11...15, state: .open)],
            changed: [Known(id: "d10", days: 10...10)]),
        Case(
            name: "one became two, both later", ledger: [Known(id: "d10", days: 10...15)],
            found: [Found(days: 11...11), Found(days: 13...15)], ids: ["d11", "d10"],
            appended: [Known(id: "d11", days: 11...11)], changed: [Known(id: "d10", days: 13...15)]),
        Case(
            name: "an id that moved away is not given twice", ledger: [Known(id: "d10", days: 12...14)],
            found: [Found(days: 10...10), Found(days: 12...14)], ids: ["d10-2", "d10"],
            appended: [Known(id: "d10-2", days: 10...10)]),
        Case(
            name: "one that is open goes before one that was withdrawn",
            ledger: [
                Known(id: "a", days: 10...14, state: .withdrawn), Known(id: "b", days: 14...14),
            ],
            found: [Found(days: 10...14)], ids: ["b"], changed: [Known(id: "b", days: 10...14)]),
        Case(
            name: "other subjects are other alerts",
            ledger: [Known(id: "d10/a", days: 10...12, subject: "a")],
            found: [Found(days: 10...12, subject: "b")], ids: ["d10/b"],
            appended: [Known(id: "d10/b", days: 10...12, subject: "b")],
            withdrawn: [Known(id: "d10/a", days: 10...12, state: .withdrawn, subject: "a")]),
        Case(
            name: "the version of an issue became known",
            ledger: [Known(id: "d10/a", days: 10...10, subject: "a")],
            found: [Found(days: 10...10, subject: "a@2", whole: "a")], ids: ["d10/a"]),
        Case(
            name: "both versions of an issue became known",
            ledger: [Known(id: "d10/a", days: 10...10, subject: "a")],
            found: [
                Found(days: 10...10, subject: "a@2", whole: "a"),
                Found(days: 10...10, subject: "a@3", whole: "a"),
            ], ids: ["d10/a", "d10/a@3"], appended: [Known(id: "d10/a@3", days: 10...10, subject: "a@3")]),
        Case(
            name: "a version next to all of them",
            ledger: [Known(id: "d10/a", days: 10...10, subject: "a")],
            found: [
                Found(days: 10...10, subject: "a"), Found(days: 10...10, subject: "a@2", whole: "a"),
            ], ids: ["d10/a", "d10/a@2"], appended: [Known(id: "d10/a@2", days: 10...10, subject: "a@2")]),
        Case(
            name: "a version on another day",
            ledger: [Known(id: "d10/a", days: 10...10, subject: "a")],
            found: [Found(days: 12...12, subject: "a@2", whole: "a")], ids: ["d12/a@2"],
            appended: [Known(id: "d12/a@2", days: 12...12, subject: "a@2")],
            withdrawn: [Known(id: "d10/a", days: 10...10, state: .withdrawn, subject: "a")]),
        Case(
            name: "a build is its version now",
            ledger: [Known(id: "d10/b", days: 10...10, subject: "a@3.7.0 (371)")],
            found: [Found(days: 10...10, subject: "a@3.7.0", whole: "a")], ids: ["d10/b"]),
        Case(
            name: "two builds are their version now",
            ledger: [
                Known(id: "d10/b", days: 10...10, subject: "a@3.7.0 (370)"),
                Known(id: "d10/c", days: 10...10, subject: "a@3.7.0 (371)"),
            ],
            found: [Found(days: 10...10, subject: "a@3.7.0", whole: "a")], ids: ["d10/b"],
            withdrawn: [Known(id: "d10/c", days: 10...10, state: .withdrawn, subject: "a@3.7.0 (371)")]),
        Case(
            name: "a version next to its build",
            ledger: [Known(id: "d10/b", days: 10...10, subject: "a@3.7.0 (371)")],
            found: [
                Found(days: 10...10, subject: "a@3.7.0", whole: "a"),
                Found(days: 10...10, subject: "a@3.7.0 (371)", whole: "a"),
            ], ids: ["d10/a@3.7.0", "d10/b"],
            appended: [Known(id: "d10/a@3.7.0", days: 10...10, subject: "a@3.7.0")]),
        Case(
            name: "a build of another issue, of another version, and an issue with brackets",
            ledger: [
                Known(id: "d10/b", days: 10...10, subject: "b@3.7.0 (371)"),
                Known(id: "d10/c", days: 10...10, subject: "a@3.7 (371)"),
                Known(id: "d10/d", days: 10...10, subject: "a (2)"),
            ],
            found: [
                Found(days: 10...10, subject: "a@3.7.0"), Found(days: 10...10, subject: "a"),
                Found(days: 10...10, subject: "b@3.7.0 (371)"),
            ], ids: ["d10/a@3.7.0", "d10/a", "d10/b"],
            appended: [
                Known(id: "d10/a", days: 10...10, subject: "a"),
                Known(id: "d10/a@3.7.0", days: 10...10, subject: "a@3.7.0"),
            ],
            withdrawn: [
                Known(id: "d10/c", days: 10...10, state: .withdrawn, subject: "a@3.7 (371)"),
                Known(id: "d10/d", days: 10...10, state: .withdrawn, subject: "a (2)"),
            ]),
    ])
    func ledgerAndFigures(_ one: Case) {
        let ledger = one.ledger.enumerated().map { Self.entry($0.element, raised: $0.offset) }
        let found = one.found.map(Self.alert)
        let result = reconcile(
            ledger, found: found, raisedAt: Self.captured, asRaised: Self.asRaised(ledger, one))
        let ids = found.map { result.ids[$0.id] ?? "none" }
        #expect(ids == one.ids)
        #expect(Self.known(result.appended) == one.appended)
        #expect(Self.known(result.changed) == one.changed)
        #expect(Self.known(result.withdrawn) == one.withdrawn)
        #expect(result.appended.allSatisfy { $0.raisedAt == Self.captured && $0.sentence == "now" })
        #expect(
            (result.changed + result.withdrawn).allSatisfy {
                $0.sentence == "then" && $0.reportedSize == 0.25
            })
        // A second run finds nothing to write, and gives the same ids.
        let after = Self.merged(ledger, result.revisions)
        let again = reconcile(
            after, found: found.reversed(), raisedAt: Self.captured, asRaised: Self.asRaised(after, one))
        #expect(again.revisions == [])
        #expect(again.ids == result.ids)
        #expect(result.hidden.sorted() == one.hidden && again.hidden == result.hidden)
    }

    /// The entries whose first day cannot be judged.
    private static func asRaised(_ ledger: [LedgerEntry], _ one: Case) -> Set<String> {
        let judged = one.judged.map(dates)
        return Set(ledger.filter { judged?.contains($0.firstDay) != true }.map(\.id))
    }

    private static func merged(_ ledger: [LedgerEntry], _ revisions: [LedgerEntry]) -> [LedgerEntry] {
        let byID = Dictionary(revisions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let known = Set(ledger.map(\.id))
        return ledger.map { byID[$0.id] ?? $0 } + revisions.filter { !known.contains($0.id) }
    }
}
