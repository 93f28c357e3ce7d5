import Analysis
import AppHealth
import Attaching
import Configuration
import Diagnostics
import Pages

/// Why a target gets no summary of an app.
struct AttachAbsence: Sendable, Hashable {
    /// The app; empty for all of them together.
    var app: String
    /// The reason, without a period.
    var why: String

    /// `sketchbook: no releases yet`
    var text: String { app.isEmpty ? why : "\(app): \(why)" }
}

extension AttachAbsence {
    /// Why a target gets nothing of an app, though the app was read for it.
    ///
    /// - Parameter isHeldBack: whether a mute or a setting holds back the verdict of a release.
    init(
        of pages: AppPages, at schedule: AttachSchedule?, _ wishes: AttachWishes,
        isHeldBack: (ReleaseFacts) -> Bool
    ) {
        app = pages.facts.app.id.text
        let releases = pages.allReleases
        if let release = wishes.release {
            why =
                (pages.releases(ofVersion: release).isEmpty ? "no release " : "several releases are version ")
                + printable(release)
        } else if schedule == nil, wishes.day != nil || wishes.week != nil {
            why = "release notes are of no day or week"
        } else if let day = wishes.day {
            why = "no data on \(day)"
        } else if schedule == nil || schedule == .verdict, releases.isEmpty {
            why = "no releases yet"
        } else if schedule == .verdict, let newest = pages.latestRelease {
            let evaluation = newest.evaluation
            let reason = printable(evaluation.why(counts: pages.facts.audience.counts))
            let words = "\(printable(newest.label)): \(evaluation.verdict.words)"
            if isHeldBack(newest) {
                why = "\(words), which a mute or the settings under 'alerts' hold back"
            } else if reason.isEmpty {
                why = words
            } else {
                why = "\(words) (\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason))"
            }
        } else if pages.facts.days.isEmpty {
            why = "no data yet"
        } else {
            why =
                "nothing on \(pages.facts.lastDay) asks for attention: no alert began, no verdict hold or roll back, no source that failed"
        }
    }

    /// Why a target gets no week.
    init(ofWeeks wishes: AttachWishes) {
        app = ""
        why = wishes.week.map { "no data in \($0)" } ?? "no week with data is over yet"
    }

    /// Why a target of all apps gets no week from a command about one of them.
    static let partOfAWeek = AttachAbsence(
        app: "", why: "a week is of all apps; attach without '--app', or name the week with '--week'")

    /// Why a target gets nothing at all: it is for an app that the command is not about.
    init(for app: Slug) {
        self.init(app: "", why: "it is for '\(app)' alone")
    }
}
