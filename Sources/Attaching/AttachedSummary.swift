package import AppHealth
import Diagnostics
package import Markup

/// A summary as it is attached to a place, in every form that a place may want.
package struct AttachedSummary: Sendable {
    /// What it is about.
    package var kind: AttachmentKey.Kind
    /// The app; empty for all apps together.
    package var app: String
    /// The day, the week or the release.
    package var subject: String
    /// For whom it is made.
    package var reader: String
    /// Whether nothing is hidden in it.
    package var isForTeam: Bool
    /// Whether something in it asks for attention: an alert, a verdict that stops a release, a source that failed.
    package var asksForAttention: Bool
    /// The verdict and the alerts in it, to compare.
    package var gist: Gist
    /// The document; its first block is the headline, its links are whole.
    package var blocks: [Block]
    /// The page that it sums up; nil when the site has no address.
    package var page: String?
    /// The document in GitHub's Markdown, cut to a limit in UTF-16 units for a reason.
    package var markdown: @Sendable (_ limit: Int, _ reason: String) -> String
    /// Which correction it is of one that was sent before, from 1; 0 when it corrects nothing.
    package var correction = 0
    /// Which newer one it is of the same subject that corrects nothing, from 1; 0 for the first one and for corrections.
    package var renewal = 0
    /// Whether it only takes the place of what arrived before, and is not made again where people removed that.
    package var staysRemoved = false
    /// Earlier subjects that were never sent.
    package var missed: [String] = []
    /// What the place calls the first message about the app; nil when there is none, or it has no name.
    var firstMessage: String?
    /// Whether what it takes the place of was made for the same readers.
    var isForReadersOfBefore = true
    /// What is known of the release that it is about.
    package var release = ReleaseTraits()

    /// Makes a summary.
    package init(
        _ kind: AttachmentKey.Kind, of subject: String, app: String, reader: String, isForTeam: Bool,
        asksForAttention: Bool, gist: Gist, blocks: [Block], page: String?,
        markdown: @escaping @Sendable (_ limit: Int, _ reason: String) -> String
    ) {
        self.kind = kind
        self.subject = subject
        self.app = app
        self.reader = reader
        self.isForTeam = isForTeam
        self.asksForAttention = asksForAttention
        self.gist = gist
        self.blocks = blocks
        self.page = page
        self.markdown = markdown
    }

    /// Whether it corrects one that was sent before.
    package var isCorrection: Bool { correction > 0 }

    /// What sets its message apart from the earlier ones about the same, also from those that said what it says.
    var edition: [String] {
        if isCorrection { return ["\(correction)"] }
        return renewal > 0 ? ["newer \(renewal)"] : []
    }

    /// Its name in the ledger of a target.
    package func key(at target: String) -> AttachmentKey {
        AttachmentKey(target: target, kind: kind, app: app, subject: subject, audience: reader)
    }

    /// The headline without markup: `Sketchbook — Thu, Nov 19, 2026 (UTC): ✓ Meets target`. It goes to places that write it
    /// as it is, so that nothing in it may turn the direction of what follows.
    package var headline: String {
        guard case .heading(let spans, _)? = blocks.first else { return withoutUnsafe(subject) }
        return (isCorrection ? "Correction: " : "") + withoutUnsafe(spans.map(\.text).joined())
    }

    /// The document as a message: with what it corrects, and what was not sent before it.
    package var message: [Block] {
        guard case .heading(let spans, let level)? = blocks.first else { return blocks }
        let heading = Block.heading((isCorrection ? [.text("Correction: ")] : []) + spans, level: level)
        guard !missed.isEmpty else { return [heading] + blocks.dropFirst() }
        let noun = missed.count == 1 ? "1 earlier summary was" : "\(missed.count) earlier summaries were"
        let line = Block.lines([[.text("\(noun) not sent: \(missed.joined(separator: ", ")).")]])
        return [heading, line] + blocks.dropFirst()
    }
}

/// What a place of releases is to know of one that is made there.
package struct ReleaseTraits: Sendable, Equatable {
    /// Whether its version is one before the release.
    package var isPrerelease: Bool
    /// Whether no other release of the app has a later version, those before a release not counted.
    package var isLatest: Bool
    /// The day on which it came out; nil when that is not known.
    package var cameOut: CivilDate?
    /// The name of its verdict, which no rewording changes; nil for what is about no release.
    package var verdict: String?

    /// Makes the traits.
    package init(
        isPrerelease: Bool = false, isLatest: Bool = false, cameOut: CivilDate? = nil, verdict: String? = nil
    ) {
        self.isPrerelease = isPrerelease
        self.isLatest = isLatest
        self.cameOut = cameOut
        self.verdict = verdict
    }
}
