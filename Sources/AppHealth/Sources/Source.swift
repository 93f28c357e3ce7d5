/// Where the figures of an app come from, and what the source means by its words.
package struct Source: Hashable, Codable, Sendable {
    /// The name of this source within its app; the provider's name unless the configuration says otherwise.
    package var id: Slug
    /// The provider: `files`.
    package var provider: String
    /// What it counts as a session, in its own definition.
    package var sessionDefinition: String
    /// What it counts as a user.
    package var userDefinition: String
    /// The zone in which its days begin: an IANA name such as `UTC`.
    package var zone: String
    /// How late its figures are, in words.
    package var delay: String
    /// What it is able to know.
    package var capabilities: Set<Capability>
    /// How long its figures of a day move, from the delay that it states.
    package var settling: SettlingAge
    /// Whether parts and totals are counted alike. A service that estimates distinct users or samples sessions rounds
    /// each part on its own.
    package var hasExactCounts: Bool
    /// The kinds of facts whose counts are worked out from a rate, rounded or estimated. Such a count is shown, and
    /// never bounds another or serves as the whole of a share.
    package var estimates: Set<CoveredFact>
    /// Over which time it counts the events and users of an issue.
    package var issueTotals: IssueTotals
    /// Whether its days count a share of everybody that hardly changes from day to day, such as those who agree to share
    /// diagnostics: such parts compare with each other.
    package var countsSteadyShare: Bool
    /// Whether it states a day only once that is there to its end, as its reader can see: a low day is then a low one, not
    /// one of which a part has come.
    package var statesWholeDays: Bool
    /// Whether each of its counts is of distinct ids among rows of its own: a session may be in several releases, the
    /// crashes of a day may be of sessions and users of the day before, and an event may be in two issues. Such parts do
    /// not add up to their total.
    package var countsPartsApart: Bool
    /// Whether it knows the day of a release in its zone and no time: `releasedAt` is then the first second of that date in
    /// UTC.
    package var datesReleasesByDay: Bool
    /// Whether `releasedAt` is when a release came out, as somebody stated it; else it may be when the source first met the
    /// release, which is no later than its own first day.
    package var statesReleaseDays: Bool
    /// The age in hours from which its newest figures are stale, as the configuration says; nil leaves it to how often they
    /// came.
    package var maxAgeHours: Int?
    /// The last day of which its data are used, as the configuration says, of a source that was replaced or whose service is
    /// gone; nil for one that goes on.
    package var until: CivilDate?

    /// How far its counts may miss each other, as a share of the total.
    package var countTolerance: Double { hasExactCounts ? 0 : 0.05 }

    /// Makes a source.
    package init(
        id: Slug, provider: String, sessionDefinition: String, userDefinition: String, zone: String,
        delay: String, capabilities: Set<Capability>, settling: SettlingAge = .standard,
        hasExactCounts: Bool = true, estimates: Set<CoveredFact> = [],
        issueTotals: IssueTotals = .unstated, countsSteadyShare: Bool = false,
        statesWholeDays: Bool = false, countsPartsApart: Bool = false,
        datesReleasesByDay: Bool = false, statesReleaseDays: Bool = false, maxAgeHours: Int? = nil,
        until: CivilDate? = nil
    ) {
        self.id = id
        self.provider = provider
        self.sessionDefinition = sessionDefinition
        self.userDefinition = userDefinition
        self.zone = zone
        self.delay = delay
        self.capabilities = capabilities
        self.settling = settling
        self.hasExactCounts = hasExactCounts
        self.estimates = estimates
        self.issueTotals = issueTotals
        self.countsSteadyShare = countsSteadyShare
        self.statesWholeDays = statesWholeDays
        self.countsPartsApart = countsPartsApart
        self.datesReleasesByDay = datesReleasesByDay
        self.statesReleaseDays = statesReleaseDays
        self.maxAgeHours = maxAgeHours
        self.until = until
    }
}

/// Something that a source can provide; what is missing from its set is shown as not available.
package enum Capability: String, Codable, Sendable, CaseIterable, Comparable {
    /// Sessions and crashed sessions by day.
    case sessions
    /// Users and crashed users by day.
    case users
    /// Health by day for each release.
    case releaseHealth
    /// The list of releases.
    case releases
    /// Issues with their counts.
    case issues
    /// Counts by day for each issue.
    case issueDays
    /// Sessions, and the counts of each issue, by hour.
    case hours
    /// Active and new users by day.
    case usage
    /// Notes that people wrote.
    case notes

    package static func < (lhs: Capability, rhs: Capability) -> Bool { lhs.rawValue < rhs.rawValue }
}
