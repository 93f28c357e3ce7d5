import AppHealth

/// A value that a query gets, whatever an engine calls its type.
enum WarehouseParameter: Hashable, Sendable {
    case text(String)
    case date(CivilDate)
    /// Seconds since 1970.
    case instant(Int)
    case number(Int)
}

extension WarehouseWindow {
    /// The parameters that every query of a round may have, by name.
    func parameters(app: String, mostIssues: Int) -> [String: WarehouseParameter] {
        [
            "app": .text(app), "from": .date(days.lowerBound), "to": .date(days.upperBound),
            "begin": .instant(start(of: days.lowerBound)), "end": .instant(start(of: days.upperBound)),
            "issues": .number(mostIssues), "issues_from": .date(issueDays.lowerBound),
            "issues_to": .date(issueDays.upperBound),
            "issues_begin": .instant(start(of: issueDays.lowerBound)),
            "recent_begin": .instant(start(of: recent)),
            "issues_end": .instant(start(of: issueDays.upperBound)),
            "hours_from": .date(hours.lowerBound.start.date.advanced(by: -1)),
            "hours_begin": .instant(hours.lowerBound.start.secondsSinceEpoch),
            "hours_end": .instant(hours.upperBound.start.secondsSinceEpoch),
        ]
    }
}
