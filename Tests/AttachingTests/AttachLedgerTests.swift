import AppHealth
import Diagnostics
import Synchronization
import Testing

@testable import Attaching

/// What follows from the steps that the archive remembers.
struct AttachLedgerTests {
    private func steps(_ states: [(AttachmentEntry.State, String)]) -> [AttachmentEntry] {
        states.enumerated().map { number, step in
            AttachmentEntry(
                key: AttachedSummary.sample().key(at: "place"), state: step.0, content: step.1, gist: step.1,
                at: Instant(secondsSinceEpoch: 100 + number))
        }
    }

    /// How many corrections arrived, what arrived last, and since when it waits (the first step is at 100).
    @Test(
        arguments: [
            ([(.planned, "a"), (.unknown, "a"), (.planned, "a")], 0, nil, 100),
            ([(.planned, "a"), (.unknown, "a"), (.sent, "a")], 0, "a", nil),
            ([(.sent, "a"), (.sent, "a")], 0, "a", nil),
            ([(.sent, "a"), (.unknown, "b"), (.superseded, "a"), (.sent, "b")], 1, "b", nil),
            ([(.sent, "a"), (.sent, "b"), (.sent, "a"), (.sent, "b")], 3, "b", nil),
            ([(.sent, "a"), (.planned, "b"), (.unknown, "b"), (.planned, "b")], 0, "a", 101),
        ] as [([(AttachmentEntry.State, String)], Int, String?, Int?)])
    func stepsAddUp(
        states: [(AttachmentEntry.State, String)], corrections: Int, arrived: String?, waits: Int?
    ) throws {
        let ledger = AttachLedger(steps(states))
        let record = try #require(ledger.record(of: AttachedSummary.sample().key(at: "place")))
        #expect(record.corrections == corrections && record.arrived?.content == arrived)
        for second in [99, 100, 101, 102] {
            let isWaiting = record.isWaiting(since: Instant(secondsSinceEpoch: second), at: .appends)
            #expect(isWaiting == waits.map { $0 >= second } ?? false, "\(second)")
        }
    }

    /// A place gets summaries of a kind since its first step, also where that was only that it is there.
    @Test(
        arguments: [
            ([], nil), ([(.begun, "")], 100), ([(.begun, ""), (.sent, "a")], 100), ([(.sent, "a")], 100),
        ] as [([(AttachmentEntry.State, String)], Int?)])
    func aPlaceBeginsWithItsFirstStep(states: [(AttachmentEntry.State, String)], begun: Int?) {
        let ledger = AttachLedger(steps(states))
        let key = AttachedSummary.sample().key(at: "place")
        #expect(
            ledger.begun(key.kind, app: key.app)?.secondsSinceEpoch == begun)
        #expect(ledger.begun(.week, app: key.app) == nil)
        #expect(ledger.begun(key.kind, app: "other") == nil)
    }

    /// What may have arrived is sent again by itself only where that makes no second one.
    @Test(arguments: [(Repetition.replaces, true), (.edits, false), (.appends, false)])
    func whatMayHaveArrivedWaitsWhereItIsReplaced(repetition: Repetition, waits: Bool) throws {
        let ledger = AttachLedger(steps([(.planned, "a"), (.unknown, "a")]))
        let record = try #require(ledger.record(of: AttachedSummary.sample().key(at: "place")))
        #expect(record.isWaiting(since: Instant(secondsSinceEpoch: 0), at: repetition) == waits)
    }

    /// What may have arrived is named until it is too old, but where it is replaced, or known by the service's name.
    @Test(
        arguments: [
            (Repetition.appends, nil, 101, true), (.appends, nil, 102, false), (.edits, nil, 101, true),
            (.edits, "77", 101, false), (.replaces, nil, 101, false),
        ] as [(Repetition, String?, Int, Bool)])
    func whatMayHaveArrivedIsNamed(repetition: Repetition, remote: String?, since: Int, isNamed: Bool) {
        var entries = steps([(.planned, "a"), (.unknown, "a")])
        entries[1].remote = remote
        let start = Instant(secondsSinceEpoch: since)
        let named = AttachLedger(entries).uncertain(since: start, at: repetition)
        #expect(named == (isNamed ? [AttachedSummary.sample().key(at: "place")] : []))
    }

    /// What a target has is what was sent to it for any reader, by the newest of all steps, in the order of each reader's.
    @Test(
        arguments: [
            // The reader and the second of each step; what arrived last, and whether it waits.
            ([("team", .sent, "a", 100), ("public", .sent, "b", 101)], "b", false),
            ([("public", .sent, "b", 101), ("team", .sent, "a", 102)], "a", false),
            ([("public", .planned, "b", 101), ("team", .sent, "a", 100)], "a", true),
            ([("public", .sent, "b", 103), ("team", .planned, "a", 100)], "b", false),
            // A clock that went back.
            (
                [("public", .sent, "b", 101), ("team", .planned, "a", 105), ("team", .sent, "a", 100)], "a",
                false
            ),
        ] as [([(String, AttachmentEntry.State, String, Int)], String, Bool)])
    func whatIsThereIsOfAnyReader(
        states: [(String, AttachmentEntry.State, String, Int)], arrived: String, waits: Bool
    ) throws {
        let key = AttachedSummary.sample(.day, "2026-11-19").key(at: "place")
        let entries = states.map { reader, state, content, second in
            var own = key
            own.audience = reader
            return AttachmentEntry(
                key: own, state: state, content: content, gist: content,
                at: Instant(secondsSinceEpoch: second))
        }
        let ledger = AttachLedger(entries)
        for reader in ["team", "public"] {
            var asked = key
            asked.audience = reader
            let record = try #require(ledger.record(of: asked))
            #expect(record.arrived?.content == arrived)
            #expect(record.isWaiting(since: Instant(secondsSinceEpoch: 0), at: .appends) == waits)
        }
        #expect(ledger.records(.day, app: key.app).count == 1)
        #expect(ledger.begun(.day, app: key.app) != nil)
    }

    /// The first message of an app is what its thread begins with, also after it was corrected.
    @Test func theFirstMessageOfAnAppIsKnown() {
        var entries = steps([(.planned, "a"), (.sent, "a"), (.superseded, "a"), (.sent, "b"), (.sent, "c")])
        for (place, remote) in [(1, "<first>"), (2, "<first>"), (3, "<second>"), (4, "<third>")] {
            entries[place].remote = remote
        }
        entries[4].key.subject = "4.3.1"
        let ledger = AttachLedger(entries)
        #expect(ledger.firstMessage(of: "lamp") == "<first>" && ledger.firstMessage(of: "buoy") == nil)
        var key = entries[0].key
        key.audience = "public"
        #expect(ledger.reader(before: key) == "team")
        key.app = "buoy"
        #expect(ledger.reader(before: key) == nil)
    }

    /// A reader that is switched sends nothing again; a correction after it is one, and a switch back, too.
    @Test func anotherReaderGetsNothingTwice() async {
        let (place, ledger) = (Mailbox(), TestLedger())
        let steps = [
            ("team", "go", "attached"), ("public", "go", "unchanged"), ("public", "hold", "attached"),
            ("team", "hold", "unchanged"), ("team", "go", "attached"), ("public", "go", "unchanged"),
        ]
        for (reader, gist, word) in steps {
            var summary = AttachedSummary.sample(text: reader + gist, gist: gist)
            summary.reader = reader
            #expect(await attaching(summary, to: place, ledger) == word, "\(reader) \(gist)")
        }
        let corrections = place.headlines.withLock { $0.map { $0.hasPrefix("Correction: ") } }
        #expect(corrections == [false, true, true])
    }

    /// What readers who see more got is known for as long as it is there.
    @Test(
        arguments: [
            ([("team", .sent)], true), ([("public", .sent)], false), ([("team", .planned)], false),
            ([("team", .sent), ("public", .planned)], true),
            ([("team", .sent), ("public", .superseded)], false),
            ([("team", .sent), ("public", .superseded), ("public", .sent)], false),
            ([("public", .sent), ("team", .superseded), ("team", .sent)], true),
        ] as [([(String, AttachmentEntry.State)], Bool)])
    func whatOthersMustNotSeeIsKnown(states: [(String, AttachmentEntry.State)], isExposed: Bool) {
        var entries = steps(states.map { ($0.1, $0.0) })
        for (place, state) in states.enumerated() { entries[place].key.audience = state.0 }
        let exposed = AttachLedger(entries).exposed(to: "public", from: ["team"], at: Mailbox())
        #expect(exposed.count == (isExposed ? 1 : 0))
    }

    /// What the place said is gone is there no more, until it arrives again.
    @Test(
        arguments: [
            (["77"], true), (["77", nil], false), (["77", nil, "78"], true), (["77", nil, "78", nil], false),
            ([nil, nil], true),
        ] as [([String?], Bool)])
    func whatIsGoneIsNotThere(remotes: [String?], isThere: Bool) {
        var last: AttachmentEntry?
        let entries = zip(steps(remotes.map { _ in (.sent, "a") }), remotes).map { entry, remote in
            var entry = entry
            if remote == nil, let last { entry.at = last.at }
            entry.remote = remote
            last = entry
            return entry
        }
        let ledger = AttachLedger(entries)
        #expect(ledger.exposed(to: "public", from: ["team"], at: Mailbox()).isEmpty == !isThere)
        #expect(ledger.present(at: Mailbox()).isEmpty == !isThere)
    }

    /// A text that other readers got already, and that hides nothing more, is theirs: nothing is sent.
    @Test func theSameTextForAnotherReaderIsNoted() async {
        let (place, ledger) = (Mailbox(), TestLedger())
        var open = AttachedSummary.sample()
        open.reader = "public"
        #expect(await attaching(.sample(), to: place, ledger) == "attached")
        #expect(await attaching(open, to: place, ledger) == "unchanged")
        #expect(place.headlines.withLock { $0.count } == 1 && ledger.entries.last?.key.audience == "public")
        #expect(ledger.known.exposed(to: "public", from: ["team"], at: place).isEmpty)
    }

    /// A preview is what is sent then: the message as it is, as a correction, or none.
    @Test func aPreviewIsWhatIsSent() async throws {
        let (place, ledger) = (Mailbox(), TestLedger())
        func preview(_ gist: String, again: AttachOptions.Resending = .nothing) throws -> AttachPreview {
            try attachPreview(
                of: .sample(text: gist, gist: gist), to: place, named: "place", knowing: ledger.known,
                AttachOptions(at: runAt, again: again))
        }
        func attach(_ gist: String) async -> String {
            await attaching(.sample(text: gist, gist: gist), to: place, ledger)
        }
        #expect(try preview("go") == .draft("Lamp 4.3.0: ▼ Below target"))
        #expect(await attach("go") == "attached")
        #expect(try preview("go") == .unchanged(since: runAt))
        #expect(try preview("go", again: .uncertain) == .unchanged(since: runAt))
        #expect(try preview("go", again: .everything) == .draft("Lamp 4.3.0: ▼ Below target"))
        #expect(try preview("hold") == .draft("Correction: Lamp 4.3.0: ▼ Below target"))
        place.loses.withLock { $0 = true }
        #expect(await attach("hold") == "attach.lost")
        guard case .uncertain(let why) = try preview("hold") else {
            Issue.record("it is known")
            return
        }
        #expect(why.hints.first?.contains("--to place --app lamp --release 4.3.0 --again") == true)
        #expect(
            try preview("hold", again: .uncertain) == .draft("Correction: Lamp 4.3.0: ▼ Below target"))
    }

    /// A name that a shell could read as something else is in no command.
    @Test(arguments: [
        ("4.3.0-rc.1+7", " --release 4.3.0-rc.1+7"), ("4.3 (7)", ""), ("$(date)", ""), ("4.3'", ""),
    ])
    func theNextCommandIsNamed(label: String, option: String) {
        let text = lookThere(AttachedSummary.sample(.release, label).key(at: "sd"))
        #expect(text.hasSuffix("'plimsoll attach --to sd --app lamp\(option) --again'"))
    }

    /// A name is of the projects that have it: one may change its address or move, another needs the same address.
    @Test(
        arguments: [
            ("a.yml", "one", false), ("a.yml", "two", false), ("b.yml", "one", false), ("b.yml", "two", true),
        ])
    func aNameIsOfTheProjectsThatHaveIt(project: String, address: String, isOfAnother: Bool) {
        let known = AttachedPlace(of: AddressedPlace(address: "one"), in: "a.yml")
        let step = known.entry(of: "place", at: Instant(secondsSinceEpoch: 99))
        let ledger = AttachLedger([step] + steps([(.sent, "a")]))
        let place = AttachedPlace(of: AddressedPlace(address: address), in: project)
        #expect(ledger.isOfAnother(place) == isOfAnother && ledger.knows(place) == (place == known))
        // An archive of an earlier version knows no places.
        #expect(!AttachLedger(steps([(.sent, "a")])).isOfAnother(place))
        #expect(ledger.begun(.release, app: "") == nil)
    }

    /// A correction that was refused is still one when it is sent; when what it says has passed by then, there is none.
    @Test(arguments: [("hold", "attached", "Correction: Lamp"), ("go", "unchanged", "Lamp")])
    func refusedCorrectionIsSentAsOne(row: (now: String, word: String, headline: String)) async throws {
        let (place, ledger) = (Mailbox(), TestLedger())
        func attach(_ gist: String) async -> String {
            await attaching(.sample(text: gist, gist: gist), to: place, ledger)
        }
        #expect(await attach("go") == "attached")
        place.refuses.withLock { $0 = true }
        #expect(await attach("hold") == "attach.refused")
        place.refuses.withLock { $0 = false }
        #expect(await attach(row.now) == row.word)
        #expect(place.headlines.withLock { $0.last }?.hasPrefix(row.headline) == true)
        #expect(await attach(row.now) == "unchanged")
    }
}

/// A place of which only the address counts.
private struct AddressedPlace: AttachTarget {
    let address: String
    var place: String { "chat" }
    var repetition: Repetition { .appends }
    var schedule: AttachSchedule? { .daily }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String { "" }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt { AttachReceipt(.created) }
}
