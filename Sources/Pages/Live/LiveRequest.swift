package import Analysis
package import AppHealth
package import Diagnostics

/// What a fence of a content page requests.
package enum LiveRequest: Hashable, Sendable {
    /// A chart.
    case chart(ChartRequest)
    /// A part of a page.
    case block(BlockRequest)

    /// The app it is about; nil when it is about all.
    package var app: Slug? {
        switch self {
        case .chart(let request): request.app
        case .block(let request): request.app
        }
    }

    /// Its kind as written in the fence.
    var kind: String {
        switch self {
        case .chart(let request): request.kind.rawValue
        case .block(let request): request.kind.rawValue
        }
    }
}

/// A chart that a fence requests.
package struct ChartRequest: Hashable, Sendable {
    /// What is drawn.
    package var kind: ChartKind
    /// The app; nil for a chart of all apps.
    package var app: Slug?
    /// How many days are drawn; nil for as many as the pages of the site draw.
    package var span: Int?
    /// What a crash-free rate is counted in; nil for what the app is judged on.
    package var basis: Basis?
    /// The label of a release, for its crash-free sessions alone.
    package var release: String?
    /// The id of an issue.
    package var issue: String?

    /// Makes a request.
    package init(
        kind: ChartKind, app: Slug? = nil, span: Int? = nil, basis: Basis? = nil, release: String? = nil,
        issue: String? = nil
    ) {
        self.kind = kind
        self.app = app
        self.span = span
        self.basis = basis
        self.release = release
        self.issue = issue
    }
}

/// A part of a page that a fence requests.
package struct BlockRequest: Hashable, Sendable {
    /// What is shown.
    package var kind: BlockKind
    /// The app.
    package var app: Slug
    /// The most rows; nil for as many as the app's page shows.
    package var limit: Int?

    /// Makes a request.
    package init(kind: BlockKind, app: Slug, limit: Int? = nil) {
        self.kind = kind
        self.app = app
        self.limit = limit
    }
}

/// The charts that a fence can request.
package enum ChartKind: String, Sendable, CaseIterable {
    case crashFree = "crash-free"
    case usage, sessions, adoption, age, calendar, rank
    case issueEvents = "issue-events"
    case issueUsers = "issue-users"
    case smallMultiples = "small-multiples"

    /// The keys that say more about it.
    package var keys: [String] {
        switch self {
        case .crashFree: ["app", "span", "basis", "release"]
        case .usage, .sessions, .adoption, .calendar, .rank: ["app", "span"]
        case .age, .issueUsers: ["app"]
        case .issueEvents: ["app", "issue", "span"]
        case .smallMultiples: []
        }
    }

    /// How many days it can show.
    package var spans: ClosedRange<Int> { self == .rank ? 2...31 : 7...365 }
}

/// The parts of pages that a fence can request.
package enum BlockKind: String, Sendable, CaseIterable {
    case verdict, tiles, releases, activity, budget, notes
    case topIssues = "top-issues"

    /// The keys that say more about it.
    package var keys: [String] {
        switch self {
        case .verdict, .tiles, .budget: ["app"]
        case .releases, .activity, .notes, .topIssues: ["app", "limit"]
        }
    }
}

/// A fence of a content page with its place.
package struct LiveFence: Hashable, Sendable {
    /// What it requests.
    package let request: LiveRequest
    /// Where the fence's values stand, by key; `kind` always does.
    package let places: [String: Location]

    /// Makes a fence.
    package init(_ request: LiveRequest, places: [String: Location]) {
        self.request = request
        self.places = places
    }
}
