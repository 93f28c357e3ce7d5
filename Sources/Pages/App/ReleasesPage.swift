package import Analysis
import AppHealth
import Estimates
import Formatting
package import Templates

/// All releases of one app.
package struct ReleasesPage: TemplateModel {
    package static let modelName = "releases"
    package var frame: Frame
    package var name: String
    package var sentence: String
    package var releases: [ReleaseRow]
    package var ages: ChartView?
    package var adoption: ChartView?
    package var unavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ReleasesPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("sentence", "How many releases there are and which is newest", \.sentence),
        .list("releases", "The releases, newest first", \.releases),
        .text("releasesRate", "What `releases` say the rate of, such as `Crash-free sessions`") {
            $0.releases.rateHeading
        },
        .text("releasesCount", "What `releases` count, such as `Sessions`") { $0.releases.countHeading },
        .optional(
            "ages", "The newest releases at the same age; absent when no source counts releases by day",
            \.ages),
        .optional(
            "adoption", "The shares of the releases by day; absent when no source counts releases by day",
            \.adoption),
        .optionalText("unavailable", "Why there is no list, when there is none", \.unavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// One release of one app.
package struct ReleasePage: TemplateModel {
    package static let modelName = "release"
    package var frame: Frame
    package var app: String
    package var version: String
    package var released: String
    package var rollout: VerdictView
    package var agesSpan: String?
    package var agesAbsence: String?
    package var agesUnit: String
    package var agesCount: String
    package var ages: [AgeRow]
    package var comparisons: [LinkItem]
    package var stage: String?
    package var stageShare: String?
    package var verdict: VerdictView
    package var tiles: [Figure]
    package var stability: ChartView?
    package var newIssues: [IssueRow]
    package var noNewIssues: String
    package var regressedIssues: [IssueRow]
    package var topIssues: [IssueRow]
    package var usersSpan: String
    package var usersSentence: String
    package var issuesUnavailable: String?
    package var topIssuesUnavailable: String?
    package var issuesPartial: String?
    package var notes: [NoteView]
    package var copyBlock: [String]
    package var summaryStem: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ReleasePage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("version", "The release's label and build, such as `4.2.1 (370)`", \.version),
        .text("released", "When it was released, such as `Tue, Oct 13, 2026`; `–` when unknown", \.released),
        .model("rollout", "The verdict on rolling it out further: `go`, `hold`, `roll back` …", \.rollout),
        .optionalText(
            "agesSpan", "What the rows of `ages` are counted over; absent without anything to compare",
            \.agesSpan),
        .optionalText(
            "agesAbsence",
            "Why it is not compared, such as `No comparison: 1.0 was in use before data began.`; absent when it is",
            \.agesAbsence),
        .text(
            "agesUnit",
            "What the rows of `ages` count: `Sessions`, or `User-days` of a source without sessions",
            \.agesUnit),
        .text(
            "agesCount", "What their last column compares at, such as `Same session count`", \.agesCount),
        .list(
            "ages", "It next to the last three releases at the same age and the same session count",
            \.ages),
        .list(
            "comparisons", "The pages that compare it with another release, with the label of that one",
            \.comparisons),
        .flag("hasComparisons", "True when there is at least one") { !$0.comparisons.isEmpty },
        .optionalText("stage", "`Adopted`, `Replaced` or `Low`; absent when no share is known", \.stage),
        .optionalText(
            "stageShare",
            "The share behind the stage, such as `41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`",
            \.stageShare),
        .model("verdict", "The verdict on its life against the levels", \.verdict),
        .list("tiles", "The headline figures", \.tiles),
        .optional(
            "stability",
            "Its crash-free sessions by day, or users where no sessions are counted; absent when no source knows them",
            \.stability),
        .list("newIssues", "Issues first seen in it", \.newIssues),
        .text("noNewIssues", "What the list of these says when it is empty", \.noNewIssues),
        .list("regressedIssues", "Issues that were fixed and came back in it", \.regressedIssues),
        .list("topIssues", "The issues with the most events in it", \.topIssues),
        .text(
            "usersSpan",
            "Over which time the users of an issue are counted, such as `lifetime` or `28 days`; `per source` where the source does not say",
            \.usersSpan),
        .text("usersSentence", "The same as a sentence", \.usersSentence),
        .optionalText(
            "issuesUnavailable", "Why issues are not available by release, when they are not",
            \.issuesUnavailable),
        .optionalText(
            "topIssuesUnavailable",
            "Why `topIssues` are not available, when they are not and other issues are",
            \.topIssuesUnavailable),
        .optionalText(
            "issuesPartial",
            "On how many of its days issues are known, where some are not, and of how many it is unknown whether they are new",
            \.issuesPartial),
        .list("notes", "Notes about it", \.notes),
        .texts("copyBlock", "Lines to paste into release notes", \.copyBlock),
        .optionalUrl(
            "summaryStem", "The address of its summary for release notes, without ending", \.summaryStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}

extension ReleasesPage {
    /// All releases of an app.
    package init(
        _ releases: ReleasesSection, _ stability: StabilitySection, _ facts: AppFacts, site: SiteFacts
    ) {
        let path = SitePath.part(.releases, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        let newest = releases.latest?.release
        self.frame = Frame(
            path, title: "\(facts.app.name): releases", summary: "The releases of \(facts.app.name)",
            freshness: facts.freshnessSentence,
            crumbs: facts.app.way,
            hasData: true, site: site)
        self.name = facts.app.name
        self.sentence =
            newest.map { releasesSentence(releases.all.count, $0.version) }
            ?? "No releases yet."
        self.releases = zip(ReleaseRow.rows(releases.all, in: scope), releases.all).map { row, release in
            var row = row
            row.comparison = releases.pair(endingWith: release.label).flatMap { scope.link(to: $0) }
            return row
        }
        self.ages = scope.ageChart(releases, stability)
        self.adoption = scope.adoptionChart(releases, stability)
        self.unavailable = releases.lack?.words(for: .releases)
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

/// `3 releases, latest 1.1 (20).`
private func releasesSentence(_ count: Int, _ newest: Version) -> String {
    "\(countedText(count, "release")), latest \(newest)."
}

extension ReleasePage {
    /// One release of an app.
    package init(_ inputs: ReleaseInputs, site: SiteFacts) {
        let (release, facts, issues) = (inputs.release, inputs.facts, inputs.scope.issues)
        let label = release.label
        let path = SitePath.release(label, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        let evaluation = release.evaluation
        let verdict = VerdictView(release, in: scope)
        self.frame = Frame(
            path, title: "\(facts.app.name) \(release.release.version)",
            summary: verdict.why,
            freshness: captureSentence(release.pageCapturedAt, named: release.namedShare),
            crumbs: facts.app.way + [("Releases", .part(.releases, of: facts.app.id))], hasData: true,
            tables: ["releaseIssues", "ages"], site: site)
        self.app = facts.app.name
        self.version = "\(release.release.version)"
        self.released = release.release.releaseDay?.compactText ?? "–"
        self.rollout = VerdictView(
            evaluation, openAlerts: inputs.openAlerts, counts: scope.audience.counts)
        self.agesSpan = AgeRow.span(of: evaluation, in: scope)
        self.agesAbsence = evaluation.comparisonAbsence
        self.agesUnit = (evaluation.basis?.unit ?? "sessions").sentenceCased
        self.agesCount = "Same \(evaluation.basis?.countName ?? "session count")"
        self.ages = AgeRow.rows(evaluation, in: scope)
        self.comparisons = inputs.comparisons.map { scope.comparison(of: label, in: $0) }
        self.stage = release.stage?.words
        self.stageShare = release.stage?.shareText
        self.verdict = verdict
        self.tiles = scope.tiles(of: release)
        self.stability = scope.releaseChart(label, release.days, inputs.scope.stability)
        self.newIssues = IssueRow.rows(
            release.newIssues.prefix(ListedIssues.newLimit), of: release, list: "new", issues, in: scope)
        self.noNewIssues = release.newIssuesDoubt == nil ? "No new issues." : "No known new issues."
        self.regressedIssues = IssueRow.rows(
            release.regressedIssues, of: release, list: "back", issues, in: scope)
        self.topIssues = IssueRow.rows(
            release.topIssues.prefix(ListedIssues.topLimit), of: release, list: "top", issues, in: scope)
        self.usersSpan = facts.issueTotals.columnText
        self.usersSentence = facts.issueTotals.usersSentence
        self.issuesUnavailable = release.issuesAbsence(issues)
        self.topIssuesUnavailable = release.topIssuesAbsence(issues)
        self.issuesPartial = issuesUnavailable == nil ? release.issuesPartialText : nil
        self.notes = NoteView.views(release.notes, in: scope)
        self.copyBlock = scope.copyBlock(of: release, issues)
        self.summaryStem = "summary"
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

extension ReleaseFacts {
    /// `Issues: 4 new, 1 regressed.`, with of how many it is unknown whether they are new.
    fileprivate var issueCountsText: String {
        let (new, regressed) = (countText(newIssues.count), "\(countText(regressedIssues.count)) regressed.")
        guard let doubt = newIssuesDoubt else { return "Issues: \(new) new, \(regressed)" }
        return "Issues: \(newIssues.isEmpty ? "" : "at least \(new) new, ")\(regressed) \(doubt)"
    }
}

extension AppScope {
    /// What release notes may say of a release: its verdict, its take-up, and how many issues are new and back.
    fileprivate func copyBlock(of release: ReleaseFacts, _ issues: ListedIssues) -> [String] {
        let evaluation = release.evaluation
        var lines = [
            "\(release.release.version): \(evaluation.verdict.words.sentenceCased). \(evaluation.why(counts: audience.counts))"
        ]
        if let stage = release.stage {
            lines.append("Adoption: \(stage.words), \(stage.shareText).")
        }
        lines.append(
            release.issuesAbsence(issues)
                ?? release.issueCountsText + (release.issueDaysText.map { " " + $0 } ?? ""))
        return lines
    }

    /// The share of a release of all sessions of the last day.
    func adoptionFigure(_ release: ReleaseFacts) -> Figure {
        Figure(
            .sessionAdoption, share: release.adoption, "sessions of \(release.label)", of: "sessions",
            "on \(release.adoptionDay.compactText)", from: release.source, in: self)
    }

    /// The headline figures of a release.
    func tiles(of release: ReleaseFacts) -> [Figure] {
        guard !release.isCountedInUsers else { return userTiles(of: release) }
        let sessions = release.crashed.map(orAbsent: .noSessions) { _ in release.sessions }
        let rates = [
            crashFree(ofTheLifeOf: release), adoptionFigure(release),
        ]
        guard !hidesCounts else { return rates }
        return rates + [
            Figure(
                .sessions, count: sessions, detail: release.lifeText ?? "lifetime",
                how: "sessions summed over days", from: release.source, in: self)
        ]
    }

    /// Those of a release of which users are counted and no sessions: user-days of its life, and users of its newest day.
    private func userTiles(of release: ReleaseFacts) -> [Figure] {
        let life = crashFree(ofTheLifeOf: release)
        guard let source = release.source, let day = release.days.last(where: { $0.crashedUserShare != nil })
        else { return [life] }
        let window = "on \(day.date.compactText)"
        let missing = Absence.noFigures(day.date)
        let rate = Figure(
            .crashFreeUsers,
            crashed: source.measured(.releaseHealth, missing: missing, day.crashedUserShare), of: "users",
            window, from: source, in: self)
        guard !hidesCounts else { return [life, rate] }
        return [
            life, rate,
            Figure(
                .userDays,
                count: release.crashedOfLife.map(orAbsent: .noUsersByDay(release: release.label)) {
                    $0.denominator
                },
                detail: release.lifeText ?? "lifetime", how: "users of each day, summed over days",
                from: source, in: self),
            Figure(
                .users, count: source.measured(.releaseHealth, missing: missing, day.users), detail: window,
                from: source, in: self),
        ]
    }
}
