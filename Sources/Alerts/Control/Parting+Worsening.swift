import AppHealth

extension Parting {
    /// How many days an issue must lie below the level of its mute before a new rise to it is told again.
    private static let quietDays = 7

    /// Alerts for muted issues that have since reached the level of their mute.
    ///
    /// A rule tells of an issue and a version once, and that one event may be muted; so the day on which the
    /// issue gets worse than the mute allows has an alert of its own.
    func worsenings(of parted: [Parted]) -> [Event] {
        var known = Set(parted.map(\.event.occasion.id))
        return mutes.flatMap { dated -> [Event] in
            guard let level = dated.mute.end.level else { return [] }
            var starts: [String: CivilDate] = [:]
            for one in parted where one.fate == .muted(dated.mute) {
                guard let issue = one.traits.issue else { continue }
                starts[issue] = min(starts[issue] ?? one.event.occasion.day, one.event.occasion.day)
            }
            return starts.sorted { $0.key < $1.key }.flatMap { issue, start in
                rises(of: issue, to: level, under: dated.mute).filter { day in
                    day.date > start && dated.stood(on: day.date, knownAt: evidence.end(of: day.date))
                        && !isTold(issue, on: day.date, parted)
                }.compactMap { alert(issue, $0) }
            }
        }.filter { known.insert($0.occasion.id).inserted }
    }

    /// The days on which an issue rose to a level; of several versions of one day the one with the largest share.
    private func rises(of issue: String, to level: AlertLevel, under mute: Mute) -> [IssueDay] {
        let byRelease = evidence.issueReleaseDays[issue] ?? []
        let days = byRelease.isEmpty ? evidence.issueDays[issue] ?? [] : byRelease
        var last: CivilDate?
        var rises: [IssueDay] = []
        for day in days where level.isReached(by: evidence.figures(of: day)) {
            if let wanted = mute.subject.version, day.version != wanted { continue }
            if day.date == last, day.date == rises.last?.date {
                if share(of: day) > share(of: rises[rises.count - 1]) { rises[rises.count - 1] = day }
            } else if last.map({ $0.days(to: day.date) > Self.quietDays }) != false {
                rises.append(day)
            }
            last = day.date
        }
        return rises
    }

    private func share(of day: IssueDay) -> Double { evidence.sessionShare(of: day)?.value ?? 0 }

    private func isTold(_ issue: String, on day: CivilDate, _ parted: [Parted]) -> Bool {
        parted.contains { $0.traits.issue == issue && $0.event.occasion.day == day && $0.fate == .shown }
    }

    /// The alert of a day; nil where the sessions of the day are not known, as it tells a share of them.
    private func alert(_ id: String, _ day: IssueDay) -> Event? {
        guard let issue = evidence.issuesByID[id], let share = evidence.sessionShare(of: day) else {
            return nil
        }
        let subject = id + (day.version.map { "@" + $0 } ?? "")
        let occasion = Occasion(
            rule: IssueVelocity.id, subject: subject, app: evidence.app, day: day.date,
            at: evidence.end(of: day.date))
        return .velocity(
            IssueVelocityAlert(
                occasion: occasion, issue: issue, version: day.version, share: share, users: day.users))
    }
}
