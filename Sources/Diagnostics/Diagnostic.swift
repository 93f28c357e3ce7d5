/// A message for a person: what happened, where, and what to do next.
///
/// Modules throw their own small errors; one extension for each error type turns it into a `Diagnostic`.
package struct Diagnostic: Error, Hashable, Sendable, Codable {
    /// How much it matters to the run.
    package enum Severity: String, Sendable, Comparable, CaseIterable, Codable {
        /// Worth knowing; nothing was lost.
        case note
        /// Something was skipped or is older than it should be; the rest is usable.
        case warning
        /// Something could not be done.
        case error

        package static func < (lhs: Severity, rhs: Severity) -> Bool {
            lhs.rank < rhs.rank
        }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// How much it matters.
    package var severity: Severity
    /// What it means for the run that reports it; never stored with it.
    package var gravity: Gravity
    /// A stable name such as `theme.template-missing`, for searching and for muting.
    package var id: String
    /// The headline: one line, no final stop.
    package var summary: String
    /// More lines about what was seen, most useful first.
    package var details: [String]
    /// Where it was seen, when it is about a file or an endpoint.
    package var location: Location?
    /// What to do next: verb phrases.
    package var hints: [String]

    /// Makes a diagnostic; only severity, id and summary are needed. Without a gravity an error is shown in the
    /// site, and anything less changes nothing.
    package init(
        _ severity: Severity, id: String, _ summary: String, details: [String] = [],
        location: Location? = nil, hints: [String] = [], gravity: Gravity? = nil
    ) {
        self.severity = severity
        self.gravity = gravity ?? (severity == .error ? .shown : .remark)
        self.id = id
        self.summary = summary
        self.details = details
        self.location = location
        self.hints = hints
    }

    /// A failure of severity `error`.
    package static func error(
        _ id: String, _ summary: String, details: [String] = [], at location: Location? = nil,
        hints: [String] = []
    ) -> Diagnostic {
        Diagnostic(.error, id: id, summary, details: details, location: location, hints: hints)
    }

    /// A fault in what the user wrote: the command line, the configuration, the content or the theme.
    package static func usage(
        _ id: String, _ summary: String, details: [String] = [], at location: Location? = nil,
        hints: [String] = []
    ) -> Diagnostic {
        Diagnostic(
            .error, id: id, summary, details: details, location: location, hints: hints, gravity: .usage)
    }

    /// A finding of severity `warning`.
    package static func warning(
        _ id: String, _ summary: String, details: [String] = [], at location: Location? = nil,
        hints: [String] = []
    ) -> Diagnostic {
        Diagnostic(.warning, id: id, summary, details: details, location: location, hints: hints)
    }
}

extension Diagnostic {
    private enum CodingKeys: String, CodingKey { case severity, id, summary, details, location, hints }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Severity.self, forKey: .severity),
            id: try values.decode(String.self, forKey: .id),
            try values.decode(String.self, forKey: .summary),
            details: try values.decode([String].self, forKey: .details),
            location: try values.decodeIfPresent(Location.self, forKey: .location),
            hints: try values.decode([String].self, forKey: .hints))
    }
}

/// An error that knows how to tell itself to a person.
package protocol DiagnosticConvertible: Error {
    /// What to tell.
    var diagnostic: Diagnostic { get }
}

extension Diagnostic: DiagnosticConvertible {
    package var diagnostic: Diagnostic { self }
}
