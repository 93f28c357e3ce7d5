import Statistics

/// A level of severity, in the figures that events have; a figure that is nil sets no condition.
package struct AlertLevel: Hashable, Codable, Sendable {
    /// What graveness is measured in.
    package enum Measure: String, Codable, Sendable, CaseIterable {
        /// Distinct users of the issue on one day.
        case users
        /// Events of the issue of the sessions of one day, in per cent; of counts how far they are off what was
        /// expected.
        case share
        /// The deepest drop of the crash-free rate that was found, in percentage points.
        case points

        /// Its key among the settings of a kind in `plimsoll.yml`.
        package var leastKey: String {
            switch self {
            case .users: "leastUsers"
            case .share: "leastShare"
            case .points: "leastPoints"
            }
        }
    }

    /// The least number of users of one day.
    package var users: Int?
    /// The least share of the sessions of one day, in per cent.
    package var share: Double?
    /// The least drop of the crash-free rate, in percentage points.
    package var points: Double?

    /// A level; without any figure it sets no condition.
    package init(users: Int? = nil, share: Double? = nil, points: Double? = nil) {
        self.users = users
        self.share = share
        self.points = points
    }

    /// Whether it sets no condition.
    package var isEmpty: Bool { users == nil && share == nil && points == nil }

    /// Whether any of its figures is reached; a figure that is not known reaches nothing.
    package func isReached(by figures: AlertLevel) -> Bool {
        reached(by: figures).contains(true)
    }

    /// Whether any of its figures is missed; a figure that is not known misses nothing.
    package func isMissed(by figures: AlertLevel) -> Bool {
        reached(by: figures).contains(false)
    }

    private func reached(by figures: AlertLevel) -> [Bool] {
        [
            both(users.map(Double.init), figures.users.map(Double.init)), both(share, figures.share),
            both(points, figures.points),
        ].compactMap { $0 }
    }

    private func both(_ least: Double?, _ figure: Double?) -> Bool? {
        guard let least, let figure else { return nil }
        return figure >= least - lostInSubtraction
    }
}

/// What may be lost when two shares are subtracted, in percentage points: a change that is exactly at a
/// threshold counts as reaching it.
private let lostInSubtraction = 1e-9

extension EventKind {
    /// Its name in `plimsoll.yml` and in `mutes.yml`: `newIssue`.
    package var key: String { "\(self)" }

    /// The kind with this name in a file.
    package init?(key: String) {
        guard let kind = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = kind
    }

    /// Whether its events say that an issue spreads, is new or is back: these are what a muted issue keeps quiet.
    var reportsAnIssue: Bool {
        switch self {
        case .velocity, .newIssue, .regressed: true
        case .stability, .usage, .topIssues, .newNote, .recovery, .releaseVerdict, .withdrawn,
            .sourceTrouble:
            false
        }
    }

    /// The largest share that a level may name, in per cent: a part of sessions ends at 100, a difference from what was
    /// expected does not.
    package var largestShare: Double {
        switch self {
        case .stability, .usage: 10_000
        case .velocity, .newIssue, .regressed, .topIssues, .newNote, .recovery, .releaseVerdict,
            .withdrawn, .sourceTrouble:
            100
        }
    }

    /// The figures that its events have.
    package var measures: [AlertLevel.Measure] {
        switch self {
        case .velocity, .newIssue, .regressed: [.users, .share]
        case .stability: [.points, .share]
        case .usage: [.share]
        default: []
        }
    }
}
