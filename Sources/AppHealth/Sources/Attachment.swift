/// What names one summary at one place: it is attached there once, and updated from then on.
package struct AttachmentKey: Hashable, Sendable {
    /// What a summary is about.
    package enum Kind: String, Sendable, CaseIterable {
        case day, week, release
    }

    /// The name of the attach target.
    package var target: String
    /// What the summary is about.
    package var kind: Kind
    /// The app; empty for all apps together.
    package var app: String
    /// The day, the week or the release: `2026-11-19`, `2026-W47`, `4.3.0`.
    package var subject: String
    /// For whom the summary is made.
    package var audience: String

    /// `sketchbook 4.3.0`; without the app where it is about all of them.
    package var name: String { [app, subject].filter { !$0.isEmpty }.joined(separator: " ") }

    /// The same summary, whoever it is made for.
    package var forAnyReader: AttachmentKey {
        AttachmentKey(target: target, kind: kind, app: app, subject: subject, audience: "")
    }

    /// Of which summary of the kind it is none: it names the place itself, which gets them from then on.
    package static let anySubject = ""

    /// Makes a key.
    package init(target: String, kind: Kind, app: String, subject: String, audience: String) {
        self.target = target
        self.kind = kind
        self.app = app
        self.subject = subject
        self.audience = audience
    }
}

/// What the archive remembers of one summary at one place.
package struct AttachmentEntry: Hashable, Sendable {
    /// How far it got.
    package enum State: String, Sendable, CaseIterable {
        /// It is to be sent: it was not yet, or was refused for certain.
        case planned
        /// It was sent, and nothing is known of what became of it.
        case unknown
        /// It arrived.
        case sent
        /// It arrived, and another took its place.
        case superseded
        /// Of no summary, but of the place itself: what came before is the past for it.
        case begun
    }

    /// What names it.
    package var key: AttachmentKey
    /// How far it got.
    package var state: State
    /// A digest of what is sent.
    package var content: String
    /// Digests of the verdict and the alerts in it: what is worth another message.
    package var gist: String
    /// What the service calls it; nil where it calls it nothing.
    package var remote: String?
    /// When it got so far.
    package var at: Instant

    /// Makes an entry.
    package init(
        key: AttachmentKey, state: State, content: String, gist: String, remote: String? = nil, at: Instant
    ) {
        self.key = key
        self.state = state
        self.content = content
        self.gist = gist
        self.remote = remote
        self.at = at
    }
}
