import AppHealth
import Diagnostics

/// An issue of the list that may be looked at more closely.
struct RankedIssue: Sendable {
    /// Its place in the snapshot.
    var index: Int
    var id: String
    var hasNotes: Bool
}

extension SentryRun {
    /// Adds the issues and their days; answers them in the order of the service, those with most events first.
    mutating func addIssues(of scope: SentryScope, to snapshot: inout Snapshot) async -> [RankedIssue] {
        let endpoint = SentryEndpoint.issues(scope)
        let pages: ServicePages<SentryIssue>
        do throws(ServiceFault) {
            pages = try await parts.client.pages(
                from: endpoint, by: .cursor(of: SentryIssue.self), most: configuration.mostPages)
        } catch {
            parts.addMissing(endpoint.part, error)
            return []
        }
        parts.add(pages.warnings)
        var losses = SkippedValues(
            provider: SentryProvider.name, endpoint: endpoint.text(below: configuration.base))
        let first = now.date.advanced(by: -sentryIssueDays + 1)
        var ranked: [RankedIssue] = []
        // A list that moves while its pages are read may show one issue twice.
        var seen: Set<String> = []
        var withoutDays = 0
        for item in pages.elements {
            guard let issue = issue(item, losses: &losses), seen.insert(issue.id).inserted else {
                continue
            }
            let hasNotes = (item.noteCount?.value?.value ?? 0) > 0
            ranked.append(RankedIssue(index: snapshot.issues.count, id: issue.id, hasNotes: hasNotes))
            snapshot.issues.append(issue)
            guard let days = item.stats?.value?.days?.values else {
                withoutDays += 1
                continue
            }
            snapshot.issueDays += issueDays(days, of: issue.id, first: first, at: now)
        }
        if withoutDays > 0 {
            losses.refuse(
                "[…].stats[\"14d\"]", expected: "the days of each issue",
                found: "none for \(withoutDays) of \(ranked.count) issues")
        }
        parts.add(losses.warnings)
        return ranked
    }

    /// Looks at the first issues one by one, and at others that people wrote on, as far as the requests last.
    mutating func addDetails(of ranked: [RankedIssue], to snapshot: inout Snapshot) async {
        let top = ranked.prefix(max(0, configuration.mostDetailedIssues))
        for issue in top {
            await addDetail(of: issue, to: &snapshot)
            await addPlace(of: issue, to: &snapshot)
        }
        for issue in ranked.dropFirst(top.count) where issue.hasNotes {
            await addDetail(of: issue, to: &snapshot)
        }
        addLeftOut()
    }

    private mutating func addDetail(of issue: RankedIssue, to snapshot: inout Snapshot) async {
        let endpoint = SentryEndpoint.issue(issue.id, organization: configuration.organization)
        guard parts.client.allows(endpoint) else {
            leftOut["notes and versions", default: 0] += 1
            return
        }
        do throws(ServiceFault) {
            let (detail, losses) = try await parts.client.value(SentryIssueDetail.self, at: endpoint)
            parts.add(losses.warnings)
            snapshot.issues[issue.index] = detailed(snapshot.issues[issue.index], by: detail)
            snapshot.notes += notes(detail.activity.values, on: issue.id)
        } catch {
            parts.addMissing(endpoint.part, error)
        }
    }

    private mutating func addPlace(of issue: RankedIssue, to snapshot: inout Snapshot) async {
        let endpoint = SentryEndpoint.latestEvent(
            issue: issue.id, organization: configuration.organization)
        guard parts.client.allows(endpoint) else {
            leftOut["place and line", default: 0] += 1
            return
        }
        do throws(ServiceFault) {
            let (event, losses) = try await parts.client.value(SentryAPIEvent.self, at: endpoint)
            parts.add(losses.warnings)
            snapshot.issues[issue.index].place = place(of: event) ?? snapshot.issues[issue.index].place
        } catch {
            // An event that its server no longer keeps costs nothing but the line.
            if error.status != 404 { parts.addMissing(endpoint.part, error) }
        }
    }

    private mutating func addLeftOut() {
        for (part, count) in leftOut.sorted(by: { $0.key < $1.key }) { parts.addLeftOut(part, count) }
    }
}
