import Analysis
import AppHealth
import Diagnostics
import Foundation
package import Markup
import Pages

/// `status.json`: for monitors that check whether the site is fresh and what it says.
func statusBytes(
    _ digests: [AppSummaryRow], _ publications: [PublicationState] = [], site: SiteFacts
) throws(Diagnostics) -> [UInt8] {
    let isWhole = digests.allSatisfy { $0.sourceStates.allSatisfy(\.state.isCurrent) }
    let status = Status(
        title: site.title, asOf: site.asOf.description, demo: site.isDemo, state: isWhole ? "ok" : "degraded",
        leavesOut: site.audience.rules.map(\.rawValue).sorted(),
        markdown: site.markdown.rawValue,
        apps: digests.map { digest in
            Status.App(
                id: digest.id.text, group: digest.group, verdict: digest.verdictName,
                dataThrough: digest.lastDay.description,
                openAlerts: digest.openAlerts, mutedAlerts: digest.mutedAlerts,
                sources: zip(digest.sourceStates, digest.sourceData).map { source, data in
                    Status.Source(
                        id: source.source, state: source.state.rawValue, dataThrough: data.dataThrough,
                        problem: data.problem.map(printable))
                })
        },
        publications: publications.isEmpty
            ? nil
            : publications.map {
                Status.Publication(
                    target: $0.target, publishedAt: $0.publishedAt?.description,
                    failedAt: $0.failedAt?.description)
            })
    return try jsonFile(status)
}

/// The dialect of the Markdown versions of a site, as its `status.json` reports; GitHub's when it does not.
package func markdownDialect(ofStatus bytes: [UInt8]) -> MarkdownDialect {
    struct Written: Decodable { let markdown: String? }
    let written = try? JSONDecoder().decode(Written.self, from: Data(bytes))
    return written?.markdown.flatMap(MarkdownDialect.init) ?? .github
}

private struct Status: Encodable {
    struct App: Encodable {
        let id: String
        let group: String?
        let verdict: String
        let dataThrough: String
        let openAlerts: Int
        let mutedAlerts: Int?
        let sources: [Source]
    }

    struct Source: Encodable {
        let id: String
        let state: String
        let dataThrough: String?
        let problem: String?
    }

    struct Publication: Encodable {
        let target: String
        let publishedAt: String?
        let failedAt: String?
    }

    let format = "plimsoll-status"
    let version = 1
    let title: String
    let asOf: String
    let demo: Bool
    let state: String
    let leavesOut: [String]
    let markdown: String
    let apps: [App]
    let publications: [Publication]?
}
