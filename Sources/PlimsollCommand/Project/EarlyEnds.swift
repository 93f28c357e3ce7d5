import AppHealth
import Configuration
import Diagnostics

extension StoredDays {
    /// The sources whose `until` is later than the last day that they have, with who has the days between, or those of them
    /// that are over. A day that may come as late as ever is not missed yet.
    func earlyEnds(of app: AppConfiguration) -> [Diagnostic] {
        let id = app.app.id
        return app.sources.compactMap { source in
            let arrivals = arrivals(of: id, source.id)
            guard let end = source.until,
                let last = (days(of: id, source.id).union([arrivals.lastDay].compactMap(\.self)))
                    .filter({ $0 <= end }).max(),
                let missing = missingDays(after: last, through: end),
                !source.source.isAsked(at: now) || isLate(missing.lowerBound, of: arrivals)
            else { return nil }
            return .warning(
                "archive.early-end",
                "'until' of '\(source.id)' of \(id) is \(counted(last.days(to: end), "day")) after its last day, \(last)",
                details: fillers(of: missing, in: app, but: source.id),
                hints: [
                    "if it brings nothing more, write 'until: \(last)'; else fetch its days before its service ends"
                ])
        }
    }

    private func missingDays(after last: CivilDate, through end: CivilDate) -> ClosedRange<CivilDate>? {
        let (first, final) = (last.advanced(by: 1), min(end, now.date.advanced(by: -1)))
        return first <= final ? first...final : nil
    }

    /// Which of the other sources have how many of some days, or that none has any.
    private func fillers(
        of missing: ClosedRange<CivilDate>, in app: AppConfiguration, but ended: Slug
    ) -> [String] {
        let span = "\(missing.lowerBound) to \(missing.upperBound)"
        let all = missing.lowerBound.days(to: missing.upperBound) + 1
        let fillers = app.sources.filter { $0.id != ended }.compactMap { source -> String? in
            let count = days(of: app.app.id, source.id).count { missing.contains($0) }
            return count > 0 ? "\(span): '\(source.id)' has \(count) of \(counted(all, "day"))" : nil
        }
        return fillers.isEmpty ? ["\(span): no other source has data"] : fillers
    }
}
