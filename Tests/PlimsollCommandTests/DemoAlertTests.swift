import Foundation
import Testing

/// What the activity feed says of the demo's story, in every language of the site.
struct DemoAlertTests {
    private func entries(_ app: String) async throws -> [String] {
        let tree = try await DemoSite.shared.tree
        let weeks = tree.paths("/index.md").filter { $0.hasPrefix("apps/\(app)/activity/2") }
        return weeks.sorted(by: >).flatMap { tree[$0].split(separator: "\n").map(String.init) }
            .filter { $0.hasPrefix("- **") }.map { $0.replacing("\u{A0}", with: " ") }
    }

    @Test func badReleaseIsReportedOnItsFirstBadNight() async throws {
        let reported = try await entries("sketchbook").filter { $0.hasPrefix("- **Stability Alert**") }
        #expect(reported.count == 3)
        #expect(reported.dropFirst().first?.hasPrefix("- **Stability Alert**, Tue, Nov 17, 2026") == true)
        // On the next night it is more than twice as deep.
        let next =
            "- **Stability Alert**, Wed, Nov 18, 2026, known Thu, Nov 19, 2026, 06:00 UTC: Crash free users dropped by 0.87%"
        #expect(reported.first?.hasPrefix(next) == true)
        #expect(
            reported.last?.hasPrefix(
                "- **Stability Alert**, Wed, Oct 14, 2026, known Fri, Nov 13, 2026, 06:00 UTC: Crash free users dropped by 1.95% in the past 24 hours. At 97.49%, it is significantly below the 99.43% expected for a Wednesday. Change: −1.94 pp (−2.15 to −1.74). Worst: −2.80 pp (−2.93 to −2.67). Expected: 99.43% (56 days, 1,325,910 user-days). Observed: 97.49% (97.27–97.68) of 22,527 users. Duration: 8 days, Oct 14–21, 2026. State: recovered on Thu, Oct 22, 2026 after 8 days. Crash-free sessions: also down: −1.38 pp (−1.49 to −1.27). Why it dropped: Crash-free sessions are down 1.38 pp from the 7 days before: 0.01 pp from 4.2.1 crashing more, 1.36 pp from sessions moving to it, 0.01 pp from other releases. Largest increase in 4.2.1: Atomic.swift line 54 (+416 users a day, 93.2% of the increase in events per session). Expected false alarms: about 0.9 a year."
            ) == true, "\(reported)")
    }

    @Test(arguments: [
        (
            "sketchbook",
            "- **Recovery**, Thu, Oct 22, 2026, known Fri, Nov 13, 2026, 06:00 UTC: Crash free users recovered to 99.40% after 8 days. Observed: 99.40% (99.29–99.49) of 23,306 users. Before the drop: 99.43%. Duration: 8 days, from Wed, Oct 14, 2026."
        ),
        (
            "sketchbook",
            "- **Regressed Issue**, Tue, Nov 17, 2026, known Wed, Nov 18, 2026, 06:00 UTC: An issue in Atomic.swift line 54 regressed: fixed in 4.2.2 (376), seen in 4.3.0."
        ),
        (
            "sketchbook",
            "- **Issue Velocity Alert**, Wed, Nov 18, 2026, known Thu, Nov 19, 2026, 06:00 UTC: An issue in SFSafariViewController.m line 1337 is affecting 1.62% of sessions of 4.3.0 in the past 24 hours. The issue was first seen November 18, 2026. [Application tried to present a nil modal view controller](../../issues/safari-1337/index.md). Share: 1.62% (1.38–1.90) of 9,030 sessions. Users: 69. Expected: none (new issue)."
        ),
        (
            "tidepool",
            "- **Usage Anomaly**, Sun, Nov 15, 2026: Active users were 100% below the expected level on Sunday, Nov 15 UTC: 0 vs. about 49."
        ),
    ])
    func alertIsReportedWithItsReasons(app: String, text: String) async throws {
        #expect(try await entries(app).contains { $0.hasPrefix(text) })
    }

    @Test func mutedAlertIsFoldedWithWhoAndWhy() async throws {
        let tree = try await DemoSite.shared.tree
        for page in ["apps/tidepool/index.html", "apps/tidepool/activity/2026-W46/index.html"] {
            let text = tree[page].replacing("\u{A0}", with: " ")
            #expect(
                text.contains("Active users were 100% below the expected level on Sunday, Nov 15 UTC"))
            #expect(text.contains("Ana") && text.contains("Mon, Feb 1, 2027"), "\(page)")
        }
        #expect(!tree["apps/tidepool/feed.xml"].contains("Nov 15 UTC: 0"))
        #expect(tree["apps/lighthouse/issues/watch-20/index.html"].contains("7.6"))
    }

    @Test func notesOfTheOwnerAreWhereTheyBelong() async throws {
        let tree = try await DemoSite.shared.tree
        for (page, words) in [
            ("apps/sketchbook/issues/export-hang/index.html", "half a minute"),
            ("apps/sketchbook/releases/4.3.0/index.html", "phased release"),
            ("apps/sketchbook/releases/4.3.0/summary.md", "phased release"),
            ("apps/tidepool/days/2026-11-15/index.html", "boat show"),
            ("apps/lighthouse/index.html", "the watch"),
            ("apps/sketchbook/activity/2026-W47/index.html", "phased release"),
        ] { #expect(tree[page].contains(words), "\(page)") }
    }

    @Test func healthyAppIsSilent() async throws {
        let alarming = ["Alert", "Anomaly", "Regressed", "Failure", "Recovery"]
        #expect(
            try await entries("lighthouse").allSatisfy { line in
                !alarming.contains { line.contains($0 + "**") }
            })
        let issues = try await DemoSite.shared.tree["apps/lighthouse/issues/index.md"]
        #expect(!issues.contains("rising"))
    }

    @Test func pagesAndFeedsStateTheSame() async throws {
        let tree = try await DemoSite.shared.tree
        let page = tree["apps/sketchbook/activity/2026-W42/index.html"].replacing("\u{A0}", with: " ")
        #expect(page.contains("<li class=\"event event-alert\" id=\"sketchbook-stability-2026-10-14"))
        let rows = [
            "<dt>Change<dd>−1.94 pp (−2.15 to −1.74)",
            "<dt>Expected<dd>99.43% (56 days, 1,325,910 user-days)",
            "<dt>State<dd>recovered on Thu, Oct 22, 2026 after 8 days",
            "<dt>Expected false alarms<dd>about 0.9 a year",
        ]
        for row in rows { #expect(page.contains(row), "\(row)") }
        let feed = tree["apps/sketchbook/feed.xml"].replacing("\u{A0}", with: " ")
        #expect(feed.contains("<id>urn:plimsoll:sketchbook/stability/2026-10-14</id>"))
        #expect(
            feed.contains(
                "expected for a Wednesday. Change: −1.94 pp (−2.15 to −1.74). Worst: −2.80 pp (−2.93 to −2.67). Expected: 99.43% (56 days, 1,325,910 user-days)."
            ))
    }

    /// The overview explains a drop once: in a part of its own while it lasts.
    @Test func overviewExplainsADropOnce() async throws {
        let tree = try await DemoSite.shared.tree
        let (overview, activity) = (
            tree["apps/sketchbook/index.html"], tree["apps/sketchbook/activity/index.html"]
        )
        #expect(overview.contains("Why it dropped") && !overview.contains("<dt>Why it dropped"))
        #expect(activity.contains("<dt>Why it dropped"))
    }
}
