import AppHealth

/// Use by day. A day that has no row is not known; a value is a text in any case.
func ga4Days(_ report: Ga4Report, losses: inout SkippedValues) -> [UsageDay] {
    let columns = Ga4Columns(report)
    var seen: Set<CivilDate> = []
    return (report.rows?.items ?? []).compactMap { item in
        let path = "rows[\(item.index)]"
        guard let date = columns.date(item.value, at: path, &losses),
            losses.isFirst(date, in: &seen, at: path, "a day")
        else { return nil }
        var day = UsageDay(date: date)
        day.activeUsers = columns.count("active1DayUsers", item.value, at: path, &losses)
        day.weeklyActiveUsers = columns.count("active7DayUsers", item.value, at: path, &losses)
        day.monthlyActiveUsers = columns.count("active28DayUsers", item.value, at: path, &losses)
        day.newUsers = columns.count("newUsers", item.value, at: path, &losses)
        day.sessions = columns.count("sessions", item.value, at: path, &losses)
        return day
    }
}

/// Where each column stands: the headers say, not the request.
private struct Ga4Columns {
    private var date: Int?
    private var metrics: [String: Int]

    init(_ report: Ga4Report) {
        date = report.dimensionHeaders?.firstIndex { $0.name.text == "date" }
        let names = (report.metricHeaders ?? []).enumerated().map { ($0.element.name.text, $0.offset) }
        metrics = Dictionary(names) { first, _ in first }
    }

    /// The day, written `20261119`; the row `(other)` and every other text is left out.
    func date(_ row: Ga4Report.Row, at path: String, _ losses: inout SkippedValues) -> CivilDate? {
        let text = date.flatMap { self.text(row.dimensionValues, $0) } ?? ""
        let digits = Array(text)
        if digits.count == 8, wholeNumber(text) != nil,
            let date = CivilDate("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
        {
            return date
        }
        losses.refuse(
            "\(path).dimensionValues", expected: "a date such as \"20261119\"",
            found: quoted(text, limit: 40))
        return nil
    }

    func count(
        _ metric: String, _ row: Ga4Report.Row, at path: String, _ losses: inout SkippedValues
    ) -> Int? {
        guard let index = metrics[metric], let text = self.text(row.metricValues, index) else {
            return nil
        }
        if let count = wholeNumber(text) { return count }
        losses.refuse(
            "\(path).metricValues[\(index)]", expected: "a whole number of \(metric) as a text",
            found: quoted(text, limit: 40))
        return nil
    }

    private func text(_ values: [Ga4Report.Value]?, _ index: Int) -> String? {
        guard let values, values.indices.contains(index) else { return nil }
        return values[index].value?.text
    }
}
