package import AppHealth
package import Statistics

/// The adoption of a release, with its share.
package struct ReleaseStage: Hashable, Codable, Sendable {
    /// The stage after the last day that reports the share.
    package fileprivate(set) var stage: AdoptionStage
    /// What the share is counted in: users of one day where the source reports them for the release, else sessions.
    package let basis: Basis
    /// The newest share.
    package internal(set) var share: Fraction
    /// The day of the newest share.
    package let day: CivilDate

    /// The Wilson interval of the newest share.
    package var interval: Interval? { share.interval }

    /// The name of the stage in data files, which no rewording changes: `low`, `adopted`, `replaced`.
    package var name: String { stage.rawValue }

    /// Whether others have taken its place.
    var isReplaced: Bool { stage == .replaced }

    /// The share from which a release counts as in use.
    package static let threshold = AdoptionStage.threshold
    /// After how many known days in a row without a session others have taken its place.
    package static let silentDays = ReleaseEnds.silence
}

extension ReleaseCounts {
    /// What the shares of releases are counted in: users when the source reports users of single releases.
    package var adoptionBasis: Basis {
        let reportsUsers =
            health.values.contains { $0.users != nil } && totals.values.contains { $0.users != nil }
        return reportsUsers ? .users : .sessions
    }
}

extension ReleaseIndex {
    /// The stages of all releases that have a share on any day.
    ///
    /// A day with data of some release has no rows of releases without users, so a release without a row has a share
    /// of zero from its first row on; a day that reports none changes nothing, nor does one after the last day of the
    /// release. A release that was adopted and then had no session on so many known days has been replaced, also where the
    /// users of a day are too few to tell.
    package var stages: [String: ReleaseStage] {
        let basis = counts.adoptionBasis
        var stages: [String: ReleaseStage] = [:]
        // Those with a stage that have not ended.
        var open: Set<String> = []
        for (date, rows) in counts.byDay.sorted(by: { $0.key < $1.key }) {
            guard let shares = ReleaseShares(rows, of: counts.totals[date], basis) else { continue }
            let isWhole = counts.isWhole(on: date)
            open = open.filter { date <= ends[$0] }
            for label in open.union(shares.labels) where date <= ends[label] {
                guard let (basis, share) = shares.share(of: label, isWhole: isWhole) else { continue }
                let stage = (stages[label]?.stage ?? .low).next(share.interval)
                stages[label] = ReleaseStage(stage: stage, basis: basis, share: share, day: date)
                open.insert(label)
            }
        }
        for (label, stage) in stages where stage.stage == .adopted && ends.isSilent(label) {
            stages[label]?.stage = .replaced
        }
        return stages
    }
}

/// The shares of the releases of one day.
private struct ReleaseShares {
    private let whole: HealthDay
    private let rows: [String: HealthDay]
    private let basis: Basis

    /// Nil for a day on which no release has a share.
    init?(_ rows: [HealthDay], of whole: HealthDay?, _ wanted: Basis) {
        guard let whole else { return nil }
        let known = (wanted == .users ? [.users, .sessions] : [Basis.sessions]).first { basis in
            basis.total(of: whole) != nil && rows.contains { basis.total(of: $0) != nil }
        }
        guard let known else { return nil }
        self.whole = whole
        self.rows = Dictionary(rows.map { ($0.version ?? "", $0) }, uniquingKeysWith: { $1 })
        basis = known
    }

    /// The releases with data.
    var labels: Set<String> { Set(rows.keys) }

    /// The share of a release with what it is counted in: of one whose users are not known, as two builds of it were in use,
    /// that of its sessions.
    func share(of label: String, isWhole: Bool) -> (Basis, Fraction)? {
        guard let row = rows[label] else { return isWhole ? share(0, basis) : nil }
        if let count = basis.total(of: row) { return share(count, basis) }
        return row.sessions.flatMap { share($0, .sessions) }
    }

    private func share(_ count: Int, _ basis: Basis) -> (Basis, Fraction)? {
        basis.total(of: whole).flatMap {
            Fraction(part: count, of: $0, deviation: basis.deviation(of: whole))
        }.map { (basis, $0) }
    }
}
