import AppHealth

/// What one invented app is like; the figures are drawn from it.
struct AppPlan {
    /// The slug.
    let app: String
    /// What its source says about itself.
    let source: SourcePlan
    /// What its source is able to know.
    var capabilities = Set(Capability.allCases).subtracting([.hours])
    /// Users on an ordinary day at the beginning.
    let dailyUsers: Double
    /// Factors for Monday to Sunday.
    let week: [Double]
    /// How much larger the app is on the last day than on the first, as a share.
    let growth: Double
    /// The deviation of the users of a day beyond chance.
    let userSpread: Double
    /// Sessions of one user on one day.
    let sessionsPerUser: Double
    /// Releases, oldest first.
    let releases: [ReleasePlan]
    /// Issues, in the order in which they are written.
    let issues: [IssuePlan]
    /// Notes, oldest first.
    var notes: [NotePlan] = []
    /// Days on which nobody used the app.
    var idleDays: Set<CivilDate> = []
    /// Days of which the source has no record.
    var missingDays: Set<CivilDate> = []
    /// The capture whose file was cut off while it was sent.
    var truncatedCapture: CivilDate?

    /// The position of the release with this label; nil for none.
    func position(of label: String?) -> Int? {
        releases.firstIndex { $0.version.label == label }
    }
}

/// How a source describes its words.
struct SourcePlan {
    let name: String
    let session: String
    let user: String
    let zone = "UTC"
    let delay: String
}

/// One release and how fast it is taken up.
struct ReleasePlan {
    /// Label and build.
    let version: Version
    /// When it went out.
    let releasedAt: Instant
    /// The days until half of those who will take it have taken it.
    let halfway: Double
    /// The share of the users of older releases that takes it in the end.
    let ceiling: Double

    /// A release that goes out at nine in the morning of the day.
    init(_ label: String, _ build: String, on date: String, halfway: Double = 3, ceiling: Double = 0.93) {
        version = Version(label, build: build)
        releasedAt = Instant(startOf: day(date)).advanced(bySeconds: 9 * 3600)
        self.halfway = halfway
        self.ceiling = ceiling
    }
}

/// One note.
struct NotePlan {
    let id: String
    let at: String
    let author: String
    var issue: String?
    var release: String?
    let text: String
}
