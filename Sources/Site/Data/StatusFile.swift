import Analysis
import AppHealth
import Foundation
package import Markup
import Pages

/// `status.json`: for monitors that ask whether the site is fresh and what it says.
func statusBytes(_ digests: [AppSummaryRow], site: SiteFacts) -> [UInt8] {
    let isWhole = digests.allSatisfy { $0.sourceStates.allSatisfy { $0.state == "loaded" } }
    let status = Status(
        title: site.title, asOf: site.asOf.description, demo: site.isDemo, state: isWhole ? "ok" : "degraded",
        leavesOut: site.audience.rules.map(\.rawValue).sorted(),
        markdown: site.markdown.rawValue,
        apps: digests.map { digest in
            Status.App(
                id: digest.id.text, verdict: digest.verdictName, dataThrough: digest.lastDay.description,
                openAlerts: digest.openAlerts, mutedAlerts: digest.mutedAlerts,
                sources: digest.sourceStates.map { Status.Source(id: $0.source, state: $0.state) })
        })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return ((try? encoder.encode(status)).map { [UInt8]($0) } ?? []) + [UInt8(ascii: "\n")]
}

/// The dialect of the Markdown twins of a site, as its `status.json` tells; GitHub's when it does not.
package func markdownDialect(ofStatus bytes: [UInt8]) -> MarkdownDialect {
    struct Written: Decodable { let markdown: String? }
    let written = try? JSONDecoder().decode(Written.self, from: Data(bytes))
    return written?.markdown.flatMap(MarkdownDialect.init) ?? .github
}

private struct Status: Encodable {
    struct App: Encodable {
        let id: String
        let verdict: String
        let dataThrough: String
        let openAlerts: Int
        let mutedAlerts: Int
        let sources: [Source]
    }

    struct Source: Encodable {
        let id: String
        let state: String
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
}
