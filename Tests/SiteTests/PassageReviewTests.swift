import Analysis
import AppHealth
import Pages
import Testing

@testable import Site

/// Which passages of the owner's held nothing of what strangers chose when they were first seen.
struct PassageReviewTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func history(titled title: String) -> AppHistory {
        var history = AppHistory.sample(.harbour)
        history.sources[0].issues[0].title = title
        return history
    }

    /// Reviews the pages of a night, on which issues have titles; nil when nothing is new.
    private func review(
        _ text: String, titles: [String], knowing known: KnownPassages, witnesses: [PassageWitness] = []
    ) throws -> KnownPassages? {
        try folder.write("content/about.md", text)
        let (content, problems) = ContentFolder.read(folder.path + "/content")
        #expect(problems == [])
        let input = try sampleInput(
            folder.path + "/site", content: content, facts: .sample { $0.audience = Audience(.public) })
        guard var review = try PassageReview(of: input, knowing: known, witnesses: witnesses) else {
            return nil
        }
        for title in titles { review.add(Self.history(titled: title)) }
        return review.result
    }

    @Test func whatWasThereFirstStaysTheOwnersOwn() throws {
        let harmless = "# About this report\n\nWe fix what breaks.\n"
        let first = try #require(try review(harmless, titles: ["Harmless"], knowing: KnownPassages()))
        #expect(first.own.contains("We fix what breaks.") && first.quoting.isEmpty)
        // Nothing is new, whatever events came since.
        #expect(try review(harmless, titles: ["We fix what breaks."], knowing: first) == nil)
        // The phrase is the owner's, also in a passage that changed, or that is new.
        let changed = try #require(
            try review(
                "# About this report\n\nHere *We fix what breaks.*\n\nAs said: we fix what breaks.\n",
                titles: ["Another", "We fix what breaks."], knowing: first))
        #expect(changed.own.isSuperset(of: ["Here *We fix what breaks.*", "As said: we fix what breaks."]))
        // What is gone is remembered: it was published.
        #expect(changed.own.contains("We fix what breaks.") && changed.quoting.isEmpty)
    }

    @Test func whatQuotesAKnownTextDoesNotBecomeTheOwnersOwn() throws {
        let text = "# About this report\n\nWe saw *Token 4711 was rejected*.\n\nThat is all of it.\n"
        let known = try #require(
            try review(text, titles: ["Another", "Token 4711 was rejected"], knowing: KnownPassages()))
        #expect(known.quoting == ["We saw *Token 4711 was rejected*."])
        #expect(known.own.contains("That is all of it."))
        #expect(try review(text, titles: ["Token 4711 was rejected"], knowing: known) == nil)
        // A new passage is reason to review it again: the issue may be another one by now.
        let more = text + "\nAnd this.\n"
        let later = try #require(try review(more, titles: ["Token 4711 was rejected"], knowing: known))
        #expect(later.quoting == known.quoting && later.own.contains("And this."))
        #expect(try review(more + "\nMore.\n", titles: ["Another"], knowing: later)?.quoting == [])
    }

    /// An archive that is merged tells of the events of its own apps alone, and what one saw as a quotation is none of the
    /// owner's words.
    @Test(
        arguments: [
            (["harbour"], [], true), (["other"], [], false), ([], [], false), (["harbour"], [phrase], false),
        ] as [([String], Set<String>, Bool)])
    func whatAnotherArchiveFoundOutCountsForItsApps(apps: [String], quoting: Set<String>, isOwn: Bool) throws
    {
        let witness = PassageWitness(
            apps: Set(apps.map { Slug(anyText: $0) }),
            passages: KnownPassages(own: [Self.phrase], quoting: []))
        let other = PassageWitness(passages: KnownPassages(quoting: quoting))
        let known = try #require(
            try review(
                "# About this report\n\n\(Self.phrase)\n", titles: [Self.phrase], knowing: KnownPassages(),
                witnesses: [witness, other]))
        #expect(known.own.contains(Self.phrase) == isOwn)
        #expect(known.quoting.contains(Self.phrase) == !isOwn)
    }

    private static let phrase = "We fix what breaks."
}
