import AppHealth
import Diagnostics
import Transport

/// An error that was seen in the stage.
struct BugsnagSeenError: Sendable {
    var issue: Issue
    var comments: Int
    /// The buckets of its events; nil when the answer has none.
    var buckets: [BugsnagError.Bucket]?
}

extension BugsnagRun {
    mutating func releases(of project: BugsnagProject) async -> [Release] {
        let stage = configuration.releaseStage
        let groups = await list(
            BugsnagReleaseGroup.self, from: .releaseGroups(project: project.id.text, stage: stage),
            most: configuration.mostPages)
        let builds = await list(
            BugsnagBuild.self, from: .releases(project: project.id.text, stage: stage),
            most: configuration.mostPages)
        return Providers.releases(groups: groups, builds: builds, stage: stage)
    }

    mutating func errors(of project: BugsnagProject) async -> [BugsnagSeenError] {
        let stage = await canFilterStage(of: project) ? configuration.releaseStage : nil
        let errors = await list(
            BugsnagError.self, from: .errors(project: project.id.text, stage: stage),
            most: configuration.mostErrorPages)
        // A list that moves while its pages are read may show one error twice.
        var seen: Set<String> = []
        return errors.compactMap { error in
            issue(error, stage: configuration.releaseStage, projectPage: project.page?.value?.nonEmpty)
                .map {
                    BugsnagSeenError(
                        issue: $0, comments: error.commentCount?.value ?? 0,
                        buckets: error.trend?.value?.values)
                }
        }
        .filter { seen.insert($0.issue.id).inserted }
    }

    /// Whether the project knows the field of the release stage: asked by a field that it does not have, the
    /// service refuses. When the fields do not come, the filter is sent: without it the counts would be others
    /// than those of the night before.
    private mutating func canFilterStage(of project: BugsnagProject) async -> Bool {
        guard parts.client.refusal == nil else { return true }
        let endpoint = BugsnagEndpoint.eventFields(project: project.id.text)
        do throws(ServiceFault) {
            let pages = try await pages(
                of: BugsnagEventField.self, from: endpoint, most: configuration.mostPages)
            parts.add(pages.warnings)
            let fields = pages.elements.map(\.name.text)
            if pages.isCut || fields.contains(BugsnagEventField.releaseStage) { return true }
            addNoStageField(among: fields, at: endpoint.text(below: configuration.base))
            return false
        } catch {
            parts.addMissing(endpoint.part, error)
            return true
        }
    }

    private mutating func addNoStageField(among fields: [String], at endpoint: String) {
        let name = BugsnagEventField.releaseStage
        let known = fields.prefix(20).map(printable).joined(separator: ", ")
        parts.add(
            .warning(
                "bugsnag.field-missing", "bugsnag: the project has no event field '\(name)'",
                details: [
                    "the counts of an issue are of all release stages together",
                    fields.isEmpty ? "the project has no event fields" : "its fields: \(known)",
                ],
                at: .address(endpoint),
                hints: ["set the release stage in the app's notifier, so that its events tell it"]))
    }

    /// Adds the issues with their days. The buckets of an issue may be missing or make up no day: that is told
    /// once.
    mutating func addIssues(
        _ errors: [BugsnagSeenError], at now: Instant, to snapshot: inout Snapshot
    ) {
        snapshot.issues = errors.map(\.issue)
        var without = 0
        for error in errors {
            let days = issueDays(of: error.buckets ?? [], issue: error.issue.id, at: now)
            if days.isEmpty { without += 1 }
            snapshot.issueDays += days
        }
        guard without > 0 else { return }
        let endpoint = BugsnagEndpoint.errors(project: "{project}", stage: nil)
        var losses = SkippedValues(
            provider: BugsnagProvider.name, endpoint: endpoint.text(below: configuration.base))
        losses.refuse(
            "[…].trend", expected: "buckets that make up whole days in UTC",
            found: "none for \(without) of \(errors.count) issues")
        parts.add(losses.warnings)
    }

    /// The notes on the issues with most events, as far as the requests last.
    mutating func notes(on errors: [BugsnagSeenError], of project: BugsnagProject) async -> [Note] {
        let commented = errors.filter { $0.comments > 0 }.map(\.issue.id)
        var notes: [Note] = []
        var requested = 0
        for error in commented {
            guard parts.client.left > 0 else { break }
            requested += 1
            let comments = await list(
                BugsnagComment.self, from: .comments(project: project.id.text, error: error), most: 1)
            notes += comments.map { note($0, on: error) }
        }
        if requested < commented.count { parts.addLeftOut("notes", commented.count - requested) }
        return notes
    }
}
