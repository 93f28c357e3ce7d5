import Analysis
import AppHealth
import Diagnostics
import HistoryFixtures
import Testing

/// What is hidden from an audience, before any page is made.
struct RedactionTests {
    private static let issue = AppHealth.Issue(
        id: "vendor-77", title: "Token sk_live_9 rejected", kind: .hang,
        place: CodePlace(file: "/home/ci/App/Sync.swift", line: 12), firstSeen: .noon(back: 1),
        events: 31_415,
        users: 12, url: "https://vendor.example/77")

    private static func history() -> AppHistory {
        var source = SourceHistory.make(
            failure: .error(
                "transport.timeout", "No answer from 10.0.0.7", details: ["connect to db-7.internal failed"],
                at: .file(path: "/etc/plimsoll/key.json")),
            health: (0..<3).map {
                .make($0, sessions: 51_234 + $0, crashed: 60, users: 20_000, crashedUsers: 9)
            },
            releases: [Release(version: Version("4.0", build: "51235"), releasedAt: nil)], issues: [issue],
            issueDays: [.make("vendor-77", 0), .make("other", 1)],
            notes: [
                Note(
                    id: "n", at: .noon(back: 0), author: "Ada", text: "Ask the *on call* team about it.",
                    subject: .issue("vendor-77"))
            ])
        source.issueHours = [IssueHour(issue: "vendor-77", hour: UTCHour(of: reportTime), events: 1)]
        return AppHistory(app: AppHistory.make(named: "Sketchbook").app, sources: [source])
    }

    private static func redaction(_ audience: Audience) -> AudienceRedaction {
        AudienceRedaction(history(), for: audience)
    }

    private static func analysis(_ audience: Audience) -> AppAnalysis {
        AppAnalysis(history(), targets: .standard, asOf: reportTime, audience: audience)
    }

    @Test func theTeamSeesEverything() {
        let whole = Self.analysis(.team)
        #expect(whole.issues.all.map(\.issue) == [Self.issue])
        #expect(whole.activity.notes.count == 1)
        #expect(Self.redaction(.team).sensitiveFacts(of: Self.history(), mutes: []).texts.isEmpty)
    }

    @Test func thePublicSeesNeitherPlacesNorNotesNorWords() throws {
        let analysis = Self.analysis(Audience(.public))
        let facts = try #require(analysis.issues.all.first)
        let issue = facts.issue
        #expect(issue.place == nil && issue.url == nil)
        #expect(issue.title == "Hang issue \(issue.id)")
        #expect(issue.id.wholeMatch(of: /[0-9a-f]{12}/) != nil)
        #expect(facts.days?.map(\.issue) == [issue.id])
        #expect(analysis.issues[issue.id] == facts && analysis.issues["vendor-77"] == nil)
        #expect(analysis.issue(withID: "vendor-77") == facts)
        #expect(analysis.activity.notes.isEmpty && facts.notes.isEmpty)
        let why = try #require(analysis.sources.all.first?.lastAttempt?.failure)
        #expect(why.id == "transport.timeout" && why.severity == .error)
        #expect(why.summary == "Couldn't fetch the source")
        #expect(why.details.isEmpty && why.location == nil && why.hints.isEmpty)
    }

    @Test func anonymousNamesStayWhenOtherIssuesComeAndGo() {
        var grown = Self.history()
        grown.sources[0].issues.insert(AppHealth.Issue(id: "a", title: "first"), at: 0)
        let audience = Audience(.public)
        let before = Self.analysis(audience).issues.ids
        let after = AppAnalysis(grown, targets: .standard, asOf: reportTime, audience: audience).issues.ids
        #expect(before.isSubset(of: after) && after.count == 2)
    }

    @Test func anonymousNamesNeedTheKey() {
        func names(_ key: [UInt8]) -> Set<String> {
            var audience = Audience(.public)
            audience.key = AudienceKey(key)
            return Self.analysis(audience).issues.ids
        }
        let (first, second) = (Array("one".utf8), Array("two".utf8))
        #expect(names(first) == names(first) && names(first).isDisjoint(with: names(second)))
        #expect(names(first).allSatisfy { $0.wholeMatch(of: /[0-9a-f]{12}/) != nil })
        #expect("\(AudienceKey(first))" == "<key>" && !String(reflecting: AudienceKey(first)).contains("111"))
    }

    @Test(arguments: [
        (
            Audience(.public), [RedactionRule.codePlace, .diagnostic, .issueID, .link, .name, .note, .title],
            true
        ),
        (
            Audience(.public, titles: .shown), [.codePlace, .diagnostic, .issueID, .link, .name, .note], true
        ),
        (
            Audience(.public, counts: .shown),
            [.codePlace, .diagnostic, .issueID, .link, .name, .note, .title], false
        ),
        (Audience(.team, counts: .hidden), [], true), (.team, [], false),
    ])
    func whatIsLookedForFollowsTheRules(audience: Audience, rules: [RedactionRule], counts: Bool) {
        let facts = Self.redaction(audience).sensitiveFacts(of: Self.history(), mutes: [])
        #expect(Set(facts.texts.map(\.rule)) == Set(rules))
        // 20,000 is round, and 51,235 is the number of a build.
        #expect(facts.counts == (counts ? [51_234, 51_236, 31_415] : []))
    }

    /// A page of one's own may quote any of them.
    @Test func countsOfHoursAndDevicesAreLookedForToo() {
        var history = Self.history()
        history.sources[0].deviceDays = [DeviceDay(date: lastDay, device: "Phone", crashes: 12_347)]
        let hour = UTCHour(of: reportTime)
        history.sources[0].healthHours = [HealthHour(hour: hour, sessions: 23_459, crashedSessions: 11_117)]
        history.sources[0].issueHours = [IssueHour(issue: "vendor-77", hour: hour, events: 34_567, users: 13)]
        let facts = Self.redaction(Audience(.public)).sensitiveFacts(of: history, mutes: [])
        #expect(facts.counts.isSuperset(of: [12_347, 23_459, 11_117, 34_567]))
        #expect(facts.smallCounts.contains(13))
    }

    @Test func mutesAreNamesAndReasons() {
        let mute = Mute(
            number: 1, Mute.Subject(), by: "Grace", why: "known to the vendor", at: .file(path: "mutes.yml"))
        let texts = Self.redaction(Audience(.public)).sensitiveFacts(of: Self.history(), mutes: [mute]).texts
        #expect(texts.contains { $0.rule == .name && $0.text == "Grace" })
        #expect(texts.contains { $0.rule == .mute && $0.text == "known to the vendor" })
    }

    @Test func sameEventsAreReportedWithoutNotesAndIds() {
        let history = Self.history()
        let found = Analysis.events(in: HistoryIndex(history, asOf: reportTime), ledger: [])
        let shown = Self.redaction(Audience(.public)).redacted(found)
        #expect(shown.map(\.kind) == found.map(\.kind).filter { $0 != .newNote })
        for event in shown {
            #expect(!"\(event)".contains("Sync.swift") && !event.occasion.id.contains("vendor-77"))
        }
        #expect(Set(shown.map(\.occasion.id)).count == shown.count)
    }
}
