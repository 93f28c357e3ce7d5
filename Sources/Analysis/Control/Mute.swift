package import AppHealth
package import Diagnostics

/// Somebody's word that some events need nobody's attention for a time.
package struct Mute: Hashable, Sendable {
    /// What is muted: an event must fit everything that is not nil.
    package struct Subject: Hashable, Sendable {
        /// The app; nil for all.
        package var app: Slug?
        /// The kind of event; nil for all.
        package var kind: EventKind?
        /// The source's id of the issue that the event is about.
        package var issue: String?
        /// The label of the version that the event is about.
        package var version: String?
        /// The name of the source that the event comes from, or its provider.
        package var source: String?

        /// A subject; without anything it is every event.
        package init(
            app: Slug? = nil, kind: EventKind? = nil, issue: String? = nil, version: String? = nil,
            source: String? = nil
        ) {
            self.app = app
            self.kind = kind
            self.issue = issue
            self.version = version
            self.source = source
        }
    }

    /// How long it stands: until the first of what is not nil; for good when all is nil.
    package struct End: Hashable, Sendable {
        /// The day on which events are told again.
        package var date: CivilDate?
        /// The label of the version with which events are told again, once it or a later one is seen.
        package var version: String?
        /// Events that reach it are told, the others stay muted.
        package var level: AlertLevel?

        /// An end, or none.
        package init(date: CivilDate? = nil, version: String? = nil, level: AlertLevel? = nil) {
            self.date = date
            self.version = version
            self.level = level
        }
    }

    /// Its place among the mutes, from 0.
    package var number: Int
    /// What is muted.
    package var subject: Subject
    /// How long.
    package var end: End
    /// Who says so.
    package var by: String
    /// Why.
    package var why: String
    /// Where it stands.
    package var location: Location

    /// A mute.
    package init(
        number: Int, _ subject: Subject, until end: End = End(), by: String, why: String,
        at location: Location
    ) {
        self.number = number
        self.subject = subject
        self.end = end
        self.by = by
        self.why = why
        self.location = location
    }
}
