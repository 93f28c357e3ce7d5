import AppHealth

/// Use by day. A day that has no row is not known; a value is a text in any case.
func ga4Days(_ report: Ga4Report, blocked: Set<String>, losses: inout SkippedValues) -> [UsageDay] {
    let columns = Ga4Columns(report, blocked: blocked)
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

/// The data streams of a report, by id; one without an id is none.
func ga4Streams(_ report: Ga4Report) -> [(id: String, name: String)] {
    func place(_ name: String) -> Int? { report.dimensionHeaders?.firstIndex { $0.name.text == name } }
    let (id, name) = (place("streamId"), place("streamName"))
    func text(_ row: Ga4Report.Row, _ place: Int?) -> String {
        guard let place, let values = row.dimensionValues, values.indices.contains(place) else { return "" }
        return values[place].value?.text ?? ""
    }
    return (report.rows?.values ?? []).map { (text($0, id), text($0, name)) }
        .filter { wholeNumber($0.0) != nil }.sorted { $0.0 < $1.0 }
}

/// Health by day, with a version where the report has them. What is in the row `(other)` is of no version.
func ga4Health(
    _ report: Ga4Report, byVersion: Bool, blocked: Set<String>, losses: inout SkippedValues
) -> (days: [HealthDay], withOther: Set<CivilDate>) {
    let columns = Ga4Columns(report, blocked: blocked)
    var (days, other): ([HealthDay], Set<CivilDate>) = ([], [])
    for item in report.rows?.items ?? [] {
        let path = "rows[\(item.index)]"
        guard let date = columns.date(item.value, at: path, &losses) else { continue }
        let version = byVersion ? columns.version(item.value) : nil
        if version == "(other)" { other.insert(date) }
        if byVersion, ["", "(other)", "(not set)"].contains(version ?? "") { continue }
        guard let counts = columns.users(item.value, at: path, &losses) else { continue }
        days.append(HealthDay(date: date, version: version, users: counts.all, crashedUsers: counts.crashed))
    }
    return (days, other)
}

/// The metrics of a report that are zero in each of its rows.
func ga4Zeros(_ pages: [Ga4Report]) -> Set<String> {
    var zeros: Set<String>?
    for page in pages {
        let columns = Ga4Columns(page, blocked: [])
        for row in page.rows?.values ?? [] {
            let ofRow = columns.zeros(of: row)
            zeros = zeros?.intersection(ofRow) ?? ofRow
        }
    }
    return zeros ?? []
}

/// Where each column is: the headers say, not the request.
private struct Ga4Columns {
    private var date: Int?
    private var version: Int?
    private var metrics: [String: Int]

    /// Metrics that the account may not see come as zeros, so they are read as missing.
    init(_ report: Ga4Report, blocked: Set<String>) {
        date = report.dimensionHeaders?.firstIndex { $0.name.text == "date" }
        version = report.dimensionHeaders?.firstIndex { $0.name.text == "appVersion" }
        let names = (report.metricHeaders ?? []).enumerated().map { ($0.element.name.text, $0.offset) }
        metrics = Dictionary(names) { first, _ in first }
        for name in blocked.union(report.metadata?.restricted ?? []) { metrics[name] = nil }
    }

    /// The version as it was sent.
    func version(_ row: Ga4Report.Row) -> String {
        version.flatMap { text(row.dimensionValues, $0) } ?? ""
    }

    /// The metrics that are zero in a row.
    func zeros(of row: Ga4Report.Row) -> Set<String> {
        Set(metrics.filter { text(row.metricValues, $0.value) == "0" }.keys)
    }

    /// All and affected users of a row; nil when they cannot be true. The rate that the service
    /// worked out only distinguishes zeros: where no user was affected it is 1, where nothing is known it is 0, and where
    /// the account may not see the count it is of users that the row does not have.
    func users(
        _ row: Ga4Report.Row, at path: String, _ losses: inout SkippedValues
    ) -> (all: Int?, crashed: Int?)? {
        let users = count("totalUsers", row, at: path, &losses)
        var crashed = count("crashAffectedUsers", row, at: path, &losses)
        let rate = metrics["crashFreeUsersRate"].flatMap { text(row.metricValues, $0) }.flatMap { Double($0) }
        if crashed == 0, let users, let rate, (1 - rate) * Double(users) >= 0.5 { crashed = nil }
        if let users, let crashed {
            guard crashed <= users else {
                losses.refuse(
                    "\(path).metricValues", expected: "at most the \(users) users of the row",
                    found: String(crashed))
                return nil
            }
            let share = Fraction(crashed, of: users)?.complement.value
            if let rate, let share, !(abs(rate - share) <= 0.005) {
                losses.refuse(
                    "\(path).metricValues",
                    expected:
                        "a crash-free rate of \((share * 10_000).rounded() / 10_000) by its own counts, which are kept",
                    found: "\(rate)")
            }
        }
        return (users, crashed)
    }

    /// The day, written `20261119`; the row `(other)` and every other text is skipped.
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
