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
    /// What the other side said, in its own words: for the console and `doctor`, never for a page.
    package var quotes: [String]
    /// Where it was seen, when it is about a file or an endpoint.
    package var location: Location?
    /// What to do next: verb phrases.
    package var hints: [String]

    /// Makes a diagnostic; only severity, id and summary are needed. Without a gravity an error is shown in the
    /// site, and anything less changes nothing.
    package init(
        _ severity: Severity, id: String, _ summary: String, details: [String] = [],
        quotes: [String] = [], location: Location? = nil, hints: [String] = [], gravity: Gravity? = nil
    ) {
        self.severity = severity
        self.gravity = gravity ?? (severity == .error ? .shown : .remark)
        self.id = id
        self.summary = summary
        self.details = details
        self.quotes = quotes
        self.location = location
        self.hints = hints
    }

    /// A failure of severity `error`.
    package static func error(
        _ id: String, _ summary: String, details: [String] = [], quotes: [String] = [],
        at location: Location? = nil, hints: [String] = []
    ) -> Diagnostic {
        Diagnostic(
            .error, id: id, summary, details: details, quotes: quotes, location: location, hints: hints)
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
        _ id: String, _ summary: String, details: [String] = [], quotes: [String] = [],
        at location: Location? = nil, hints: [String] = []
    ) -> Diagnostic {
        Diagnostic(
            .warning, id: id, summary, details: details, quotes: quotes, location: location, hints: hints)
    }
}

extension Diagnostic {
    private enum CodingKeys: String, CodingKey {
        case severity, id, summary, details, quotes, location, hints
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // In the order in which they are written: one of the formats has no names.
        let severity = try values.decode(Severity.self, forKey: .severity)
        let id = try values.decode(String.self, forKey: .id)
        let summary = try values.decode(String.self, forKey: .summary)
        // Those of older versions have the beginning of a response among the details.
        let details = try values.decode([String].self, forKey: .details)
        let isQuote = { (detail: String) in detail.hasPrefix("response: ") }
        self.init(
            severity, id: id, summary, details: details.filter { !isQuote($0) },
            quotes: try values.decodeIfPresent([String].self, forKey: .quotes) ?? details.filter(isQuote),
            location: try values.decodeIfPresent(Location.self, forKey: .location),
            hints: try values.decode([String].self, forKey: .hints))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(severity, forKey: .severity)
        try values.encode(id, forKey: .id)
        try values.encode(summary, forKey: .summary)
        try values.encode(details, forKey: .details)
        try values.encodeIfPresent(Optional(quotes), forKey: .quotes)
        try values.encodeIfPresent(location, forKey: .location)
        try values.encode(hints, forKey: .hints)
    }
}

/// An error that knows how to report itself to a person.
package protocol DiagnosticConvertible: Error {
    /// What to report.
    var diagnostic: Diagnostic { get }
}

extension Diagnostic: DiagnosticConvertible {
    package var diagnostic: Diagnostic { self }
}

extension Diagnostic {
    /// The same diagnostic with every text changed, those of its location too; the id stays.
    package func mapTexts(_ change: (String) -> String) -> Diagnostic {
        Diagnostic(
            severity, id: id, change(summary), details: details.map(change), quotes: quotes.map(change),
            location: location?.mapTexts(change), hints: hints.map(change), gravity: gravity)
    }
}

extension Location {
    fileprivate func mapTexts(_ change: (String) -> String) -> Location {
        switch self {
        case .file(let path, let line, let column): .file(path: change(path), line: line, column: column)
        case .keyPath(let document, let path): .keyPath(document: change(document), path: path)
        case .address(let text): .address(change(text))
        }
    }
}

extension Diagnostic {
    /// The same as a warning: what failed was not needed for the rest.
    package func asWarning(gravity: Gravity = .shown) -> Diagnostic {
        var warning = self
        (warning.severity, warning.gravity) = (.warning, gravity)
        return warning
    }
}

/// Where a diagnostic points to.
package enum Location: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A place in a text file; line and column count from 1, the column in Unicode scalars.
    case file(path: String, line: Int? = nil, column: Int? = nil)
    /// A key path in the response of an endpoint or in a document, such as `groups[3].totals`.
    case keyPath(document: String, path: String)
    /// A URL or another address, already free of secrets.
    case address(String)

    /// `path:line:column`, `document: key.path` or the address.
    package var description: String {
        switch self {
        case .file(let path, let line, let column):
            ([path] + [line, line == nil ? nil : column].compactMap { $0.map(String.init) }).joined(
                separator: ":")
        case .keyPath(let document, let path): path.isEmpty ? document : "\(document): \(path)"
        case .address(let text): text
        }
    }
}

/// Several things to report, thrown together: the reason why something could not be done at all.
package struct Diagnostics: Error, Hashable, Sendable {
    /// What to report, most important first; never empty.
    package let list: [Diagnostic]

    /// Several diagnostics; without any, it says that the reason is unknown.
    package init(_ list: [Diagnostic]) {
        self.list =
            list.isEmpty ? [.error("unknown", "Something could not be done, and no reason is known")] : list
    }
}

/// Does something that fails with one diagnostic.
package func single<Value: ~Copyable>(_ work: () throws(Diagnostic) -> Value) throws(Diagnostics) -> Value {
    do throws(Diagnostic) {
        return try work()
    } catch {
        throw Diagnostics([error])
    }
}

/// What a diagnostic means for the run that reports it, gravest last.
///
/// The gravest of a run decides the exit code, in one place of the command; nothing else is read out of a
/// diagnostic's id.
package enum Gravity: Int, Sendable, Comparable, CaseIterable {
    /// Worth knowing: the run ends as it would have ended without it.
    case remark
    /// Something failed; the rest was done, and the site or the report shows what failed.
    case shown
    /// Nothing could be done; what was there before is unchanged.
    case nothingDone
    /// What the user wrote is wrong: the command line, the configuration, the content or the theme.
    case usage

    package static func < (lhs: Gravity, rhs: Gravity) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Diagnostics {
    /// The gravest of the list, and at least that nothing was done: for that reason they were thrown.
    package var gravity: Gravity { max(list.map(\.gravity).max() ?? .nothingDone, .nothingDone) }
}
