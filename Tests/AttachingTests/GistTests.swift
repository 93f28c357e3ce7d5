import AppHealth
import Diagnostics
import Synchronization
import Testing

@testable import Attaching

/// When a summary is another message than one that arrived, and when that one was wrong.
struct GistTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the ledger keeps of the one that arrived.
        let kept: String
        let now: Gist
        let change: Gist.Change
    }

    private static let day = CivilDate(daysSinceEpoch: 20_000)

    private static func release(
        _ verdict: String, daysLater: Int = 0, takenBack: Set<String> = []
    ) -> Gist {
        Gist(verdict: verdict, through: day.advanced(by: daysLater), takenBack: takenBack)
    }

    private static func apps(_ parts: [String: Gist.Part], former: String = "") -> Gist {
        Gist(apps: parts, former: former)
    }

    private static func kept(_ gist: Gist) -> String { KeptGist(gist, isCorrection: false).text }

    static let rows: [Row] = [
        Row(testDescription: "the same day", kept: digest("a"), now: Gist("a"), change: .none),
        Row(testDescription: "another alert", kept: digest("a"), now: Gist("b"), change: .correction),
        Row(
            testDescription: "an alert that is muted since", kept: kept(Gist("ok alert")),
            now: Gist("ok alert", same: ["ok"]), change: .none),
        Row(
            testDescription: "an alert that is muted no more", kept: kept(Gist("ok alert", same: ["ok"])),
            now: Gist("ok alert"), change: .none),
        Row(
            testDescription: "an alert that a former ledger does not have, as it is muted",
            kept: digest("ok"), now: Gist("ok alert", same: ["ok"]), change: .none),
        Row(
            testDescription: "a hidden alert that data take back",
            kept: kept(Gist("ok alert", same: ["ok"])), now: Gist("ok"), change: .none),
        Row(
            testDescription: "an alert that data take back from next to a hidden one",
            kept: kept(Gist("ok alert other", same: ["ok alert"])), now: Gist("ok other", same: ["ok"]),
            change: .correction),
        Row(
            testDescription: "alerts that were turned off in a former ledger", kept: digest("ok muted"),
            now: Gist("ok muted off", same: ["ok"], former: ["ok muted"]), change: .none),
        Row(
            testDescription: "an alert that is hidden since, in a former ledger", kept: digest("ok alert"),
            now: Gist("ok alert", same: ["ok"], former: ["ok name"]), change: .none),
        Row(
            testDescription: "an alert by another name in a former ledger", kept: digest("ok name"),
            now: Gist("ok alert", former: ["ok name"]), change: .none),
        Row(
            testDescription: "another hidden alert in a week",
            kept: kept(apps(["buoy": .init("meets"), "lamp": .init("meets 2", same: ["meets 0"])])),
            now: apps(["buoy": .init("meets"), "lamp": .init("meets 1", same: ["meets 0"])]), change: .none),
        Row(
            testDescription: "another app in a week with hidden alerts",
            kept: kept(apps(["buoy": .init("meets 1", same: ["meets 0"]), "lamp": .init("meets")])),
            now: apps(["buoy": .init("meets 1", same: ["meets 0"]), "lamp": .init("misses")]),
            change: .correction),
        Row(
            testDescription: "an app that is new, and one that is gone",
            kept: kept(apps(["lamp": .init("meets"), "buoy": .init("misses")])),
            now: apps(["lamp": .init("meets"), "tide": .init("critical")]), change: .none),
        Row(
            testDescription: "another verdict of one app",
            kept: kept(apps(["lamp": .init("meets"), "buoy": .init("misses")])),
            now: apps(["lamp": .init("meets"), "buoy": .init("critical")]), change: .correction),
        Row(
            testDescription: "a muted alert in a week", kept: kept(apps(["lamp": .init("meets 1")])),
            now: apps(["lamp": .init("meets 1", same: ["meets 0"])]), change: .none),
        Row(
            testDescription: "a week of a former ledger", kept: digest("Lamp meets None"),
            now: apps(["lamp": .init("meets 0 0")], former: "Lamp meets None"), change: .none),
        Row(
            testDescription: "a week of a former ledger that changed", kept: digest("Lamp meets None"),
            now: apps(["lamp": .init("misses 0 0")], former: "Lamp misses None"), change: .correction),
        Row(
            testDescription: "the same verdict after more days", kept: kept(release("go")),
            now: release("go", daysLater: 3), change: .none),
        Row(
            testDescription: "another verdict after more days", kept: kept(release("hold")),
            now: release("go", daysLater: 3), change: .renewal),
        Row(
            testDescription: "another verdict of the same days", kept: kept(release("hold")),
            now: release("go"), change: .correction),
        Row(
            testDescription: "a verdict that revised data take back", kept: kept(release("go")),
            now: release("hold", daysLater: 1, takenBack: ["go"]), change: .correction),
        Row(
            testDescription: "an earlier verdict that was taken back", kept: kept(release("hold")),
            now: release("notEnoughData", daysLater: 1, takenBack: ["go"]), change: .renewal),
        Row(
            testDescription: "the verdict of a former ledger", kept: digest("go"),
            now: release("go", daysLater: 1), change: .none),
        Row(
            testDescription: "another verdict than in a former ledger", kept: digest("go"),
            now: release("hold", daysLater: 1), change: .renewal),
    ]

    @Test(arguments: rows) func whatChanged(row: Row) {
        #expect(row.now.change(since: KeptGist(row.kept)) == row.change)
        // Whether it was sent as a correction changes nothing of what it says.
        #expect(row.now.change(since: KeptGist(row.kept + "!")) == row.change)
    }

    /// The ledger says the same of two summaries that arrived.
    @Test(arguments: rows.filter { $0.kept.contains("~") }) func whatIsKeptIsCompared(row: Row) {
        let now = KeptGist(row.now, isCorrection: false)
        #expect(now.change(since: KeptGist(row.kept)) == row.change)
    }

    /// A week of several apps says the same after one of them got another id.
    @Test func anAppWithAnotherIDIsNoCorrection() {
        let part = Gist.Part("ok 1 0", same: ["ok"])
        let before = Self.kept(Self.apps(["a": part, "aa": Gist.Part("ok 0 0")]))
        let kept = Gist.kept(before + "!", renaming: "a", to: "b")
        #expect(kept.hasPrefix("b=") && kept.contains(" aa=") && kept.hasSuffix("!"), "\(kept)")
        let now = Self.apps(["b": Gist.Part("bad 2 0"), "aa": Gist.Part("ok 0 0")])
        #expect(now.change(since: KeptGist(kept)) == .correction)
        #expect(Self.apps(["b": part]).change(since: KeptGist(kept)) == .none)
        let day = Self.kept(Gist("ok"))
        #expect(Gist.kept(day, renaming: "a", to: "b") == day)
    }

    /// Corrections and newer verdicts are numbered each for themselves, and one that is sent again stays what it was.
    @Test func eachVerdictIsAMessageOfItsOwn() async throws {
        let steps: [(gist: Gist, again: Bool, isCorrection: Bool, edition: [String])] = [
            (Self.release("hold"), false, false, []),
            (Self.release("go", daysLater: 2), false, false, ["newer 1"]),
            (Self.release("go", daysLater: 3), true, false, ["newer 1"]),
            (Self.release("hold", daysLater: 4, takenBack: ["go"]), false, true, ["1"]),
            (Self.release("hold", daysLater: 5, takenBack: ["go"]), true, true, ["1"]),
            (Self.release("go", daysLater: 6), false, false, ["newer 2"]),
        ]
        let (ledger, place) = (TestLedger(), Mailbox())
        for (number, step) in steps.enumerated() {
            var summary = AttachedSummary.sample(text: "\(number)")
            summary.gist = step.gist
            #expect(await attaching(summary, to: place, ledger, again: step.again) == "attached")
            #expect(place.editions.withLock { $0.last } == step.edition, "\(number)")
            #expect(place.headlines.withLock { $0.last }?.hasPrefix("Correction: ") == step.isCorrection)
            #expect(await attaching(summary, to: place, ledger) == "unchanged")
        }
    }
}
