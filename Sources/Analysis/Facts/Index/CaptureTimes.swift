import AppHealth

/// When the newest figures of an app were captured.
struct CaptureTimes: Sendable {
    private let days: [CivilDate: Instant]
    private let ofSources: [FactCaptures]
    private let ofReleases: FactCaptures?
    private let ofIssues: FactCaptures?

    /// - Parameters:
    ///   - sources: Every source.
    ///   - counting: Those of the figures of days.
    ///   - releases: That of the days of releases.
    ///   - issues: That of the issues.
    init(
        _ sources: [SourceHistory], counting: [SourceHistory], releases: SourceHistory?,
        issues: SourceHistory?
    ) {
        days = counting.dropFirst().reduce(into: counting.first?.captures.days ?? [:]) { days, source in
            days.merge(source.captures.days) { max($0, $1) }
        }
        ofSources = sources.map(\.captures)
        ofReleases = releases?.captures
        ofIssues = issues?.captures
    }

    /// That of the newest figure of all; nil when there is none.
    var newest: Instant? { ofSources.compactMap(\.newest).max() }

    /// That of a day; nil when it has no figure.
    func capture(of day: CivilDate) -> Instant? { days[day] }

    /// That of a release; nil when it has no figure.
    ///
    /// - Parameter days: those of its shares of all sessions or users: a share of 0% is of a day without a row of it.
    func capture(ofRelease label: String, sharesOn days: [CivilDate?]) -> Instant? {
        let own = ofSources.compactMap { $0.releases[label] }.max()
        let shared = own == nil ? [] : days.compactMap { $0.flatMap { ofReleases?.days[$0] } }
        return (shared + [own].compactMap(\.self)).max()
    }

    /// That of what is known of some issues, whatever the release; nil when nothing is.
    func capture(ofIssues ids: some Sequence<String>) -> Instant? {
        ids.compactMap { ofIssues?.issues[$0] }.max()
    }
}
