package import AppHealth
import Statistics

extension IssueVelocityRule {
    /// Alerts by hours on the days that have all of theirs, else by days. What one of the two reported of an issue the other
    /// does not report again.
    func pastAlerts(_ hours: IssueHours, _ index: HistoryIndex) -> [IssueVelocityAlert] {
        let (begin, whole) = (firstDay(judgedBy: hours), hours.wholeDays(after: hourly.pace.firstReport))
        let byDays = dailyAlerts(in: index).filter { alert in
            let day = alert.occasion.day
            return !whole.contains(day) && !mayBecomeWhole(day, hours, index)
        }
        let ordered = (hourlyAlerts(in: hours, index) + byDays).sorted { first, second in
            let (left, right) = (first.occasion, second.occasion)
            if left.day != right.day { return left.day < right.day }
            if first.isByHours != second.isByHours { return first.isByHours }
            return left.at != right.at ? left.at < right.at : left.id < right.id
        }
        return ordered.reduce(into: []) { kept, alert in
            let (id, day) = (alert.issue.id, alert.occasion.day)
            let isReported = kept.contains { earlier in
                earlier.issue.id == id && earlier.isByHours != alert.isByHours
                    && !earlier.isByDays(before: begin)
                    && index.issues.quietDays(of: id, between: earlier.occasion.day, and: day) < againAfter
            }
            if !isReported { kept.append(alert) }
        }
    }

    /// Whether the hours of a day at their end may still come, as long as late data do.
    private func mayBecomeWhole(_ day: CivilDate, _ hours: IssueHours, _ index: HistoryIndex) -> Bool {
        (0...2).contains(hours.lastDay.days(to: day)) && index.issues.source.isSettling(day)
    }

    /// The first day that hours with enough of a past before them can judge.
    func firstDay(judgedBy hours: IssueHours) -> CivilDate {
        hours.day(of: hours.hour(at: hourly.pace.firstReport).start).advanced(by: 1)
    }

    /// The hours, once there are enough of them for a first report; until then days report more.
    func decidingHours(in index: HistoryIndex) -> IssueHours? {
        index.issues.hours.flatMap { $0.counts.sessions.count > hourly.pace.firstReport ? $0 : nil }
    }

    /// The first day whose hours have all of the past that they were first judged by.
    ///
    /// Hours are kept for a month. Once the first of them go, a day that came some nights ago had a longer past when it
    /// came: by a shorter one it may look otherwise, though nothing of it was revised.
    func firstDayOfNewHours(_ hours: IssueHours, _ index: HistoryIndex) -> CivilDate {
        let all = hours.day(of: hours.first.start)
        guard hours.areCutOff, let source = index.issues.source,
            let newest = source.capturedAt
        else { return all }
        let limit = newest.advanced(bySeconds: -Self.lateNights * 86_400)
        var first = index.lastDay
        while first > all, source.captures.first[first.advanced(by: -1)].map({ $0 >= limit }) ?? true {
            first = first.advanced(by: -1)
        }
        return first
    }

    /// For how many nights after a day came late data may still change what its hours show.
    private static let lateNights = 3

    /// Issues that outrun their own past by hours: the alert of an hour that belongs to the day it ended on, as the source
    /// has its days.
    package func hourlyAlerts(in hours: IssueHours, _ index: HistoryIndex) -> [IssueVelocityAlert] {
        let samples = index.rates.sessionSampling
        let factors = hours.counts.sessions.indices.map { samples[hours.day(of: hours.hour(at: $0).start)] }
        return detector(of: hours).findings(in: hours.counts, sampling: factors).compactMap { finding in
            let at = hours.hour(at: finding.hour + 1).start
            guard at <= index.asOf, let issue = index.issues.byID[hours.issues[finding.issue]],
                let share = Fraction(
                    min(finding.affected, finding.sessions), of: finding.sessions,
                    deviation: index.rates.largestDeviation)
            else { return nil }
            let day = hours.day(of: at.advanced(bySeconds: -1))
            let users = index.issues.days[issue.id]?.rows(on: day).last?.users
            return IssueVelocityAlert(
                occasion: occasion(issue, nil, on: day, at: at, index), issue: issue.mention, version: nil,
                extent: .share(share), hours: finding.window, users: users,
                grounds: .ownPast(
                    finding, of: hours.areUsers ? .users : .events,
                    falseReportsPerYear: hourly.pace.falseReportsPerYear))
        }
    }

    /// The detector by hours. A starting record is for the app's first weeks alone: held against the first hours that are
    /// still kept, it would reach an alert of the last nights as its hour moves toward them, and withdraw it.
    private func detector(of hours: IssueHours) -> IssueVelocityDetector {
        var detector = hourly
        if hours.areCutOff { detector.pace.startingRecord = 0 }
        return detector
    }
}

extension IssueVelocityRule {
    /// About how many alerts of an app in a year are to be expected by chance alone: by how many hours of its days since
    /// one are judged, and how many days without all of theirs are judged by days, or by counts alone.
    package func falseAlarmsPerYear(in index: HistoryIndex, since first: CivilDate) -> Double {
        let knowsSessions = index.rates.health.values.contains { ($0.sessions ?? 0) > 0 }
        let byDays = (knowsSessions ? daily : counted).pace.falseReportsPerYear
        let days = index.days.filter { $0 >= first }
        guard let hours = decidingHours(in: index), !days.isEmpty else { return byDays }
        let whole = hours.wholeDays(after: hourly.pace.firstReport)
        let parts = hours.knownParts(after: hourly.pace.firstReport)
        let all = Double(days.count)
        let byHours = days.reduce(0) { $0 + (parts[$1] ?? 0) } / all
        let others = Double(days.count { !whole.contains($0) }) / all
        return byHours * hourly.pace.falseReportsPerYear + others * byDays
    }
}
