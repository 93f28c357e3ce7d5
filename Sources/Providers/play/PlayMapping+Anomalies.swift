import AppHealth

/// A note that says what the service found; about the release when it was found in one version code.
///
/// It is dated by the beginning of the anomaly, for its end moves while it lasts.
func playAnomaly(
    _ found: Placed<PlayAnomalies.Element>, names: PlayReleaseNames, losses: inout Losses
) -> Note? {
    let anomaly = found.value
    let id = lastSegment(anomaly.name.text)
    guard !id.isEmpty else { return nil }
    guard let start = anomaly.timelineSpec.startTime.instant else {
        losses.refuse(
            "\(found.path).timelineSpec.startTime", expected: "a time in a known zone", found: "none")
        return nil
    }
    return Note(
        id: id, at: start, author: "Google Play", text: words(of: anomaly),
        subject: subject(of: anomaly, names: names))
}

private func subject(of anomaly: PlayAnomalies.Element, names: PlayReleaseNames) -> Note.Subject {
    let code = anomaly.dimensions?.values.first { $0.dimension.text == "versionCode" }?.text
    return code.flatMap { wholeNumber($0) }.map { .release(names.version($0).label) } ?? .app
}

/// `Anomaly in crashRate: 8.93% (confidence interval 8% to 9.5%), on 2026-11-16, for versionCode 370.`
private func words(of anomaly: PlayAnomalies.Element) -> String {
    let metric = anomaly.metric
    let name = metric.metric.text
    var words = "Anomaly in \(name)"
    if let value = metric.decimalValue { words += ": \(number(value, of: name))" }
    let interval = metric.decimalValueConfidenceInterval
    if let lower = interval?.lowerBound, let upper = interval?.upperBound {
        words += " (confidence interval \(number(lower, of: name)) to \(number(upper, of: name)))"
    }
    words += ", " + period(of: anomaly.timelineSpec)
    let dimensions = (anomaly.dimensions?.values ?? []).compactMap(part(of:))
    return dimensions.isEmpty
        ? words + "." : words + ", for \(dimensions.joined(separator: " and "))."
}

private func part(of dimension: PlayRows.Dimension) -> String? {
    dimension.text.map { text in
        let label = dimension.valueLabel?.nonEmpty.map { $0 == text ? "" : " (\($0))" } ?? ""
        return "\(dimension.dimension.text) \(text)\(label)"
    }
}

/// Rates are fractions, though the service calls them percentages; what is none stays as it came.
private func number(_ decimal: WireDecimal, of metric: String) -> String {
    let value = decimal.number
    if metric.contains("Rate"), (0...1).contains(value) {
        return "\(plain((value * 10_000).rounded() / 100))%"
    }
    return plain(value)
}

private func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
}

/// The first and the last day; of hours, the first and the one at which it ended.
private func period(of timeline: PlayAnomalies.Timeline) -> String {
    let (start, end) = (timeline.startTime, timeline.endTime)
    let first = start.date?.description ?? ""
    if timeline.aggregationPeriod?.text == "HOURLY" {
        let until = end?.date.map { " until \($0) \(clock(end?.hours))" } ?? ""
        return "from \(first) \(clock(start.hours))\(until) (\(start.timeZone?.id ?? "UTC"))"
    }
    let last = end?.date.map { $0.advanced(by: -1).description } ?? first
    return first == last ? "on \(first)" : "from \(first) to \(last)"
}

private func clock(_ hours: Int?) -> String {
    let hours = hours ?? 0
    return (hours < 10 ? "0" : "") + "\(hours):00"
}

/// The file and the line that a location names in the way of a stack frame: `flush(Canvas.kt:54)`. Most
/// locations are only the name of a method or of an activity.
func playPlace(_ location: String?) -> CodePlace? {
    guard let location, let colon = location.lastIndex(of: ":") else { return nil }
    let digits = location[location.index(after: colon)...].prefix { $0.isASCII && $0.isWholeNumber }
    let rest = location[location.index(colon, offsetBy: digits.count + 1)...]
    let file = location[..<colon].suffix(while: { !" (\t".contains($0) })
    let ending = file.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let isFile =
        file.contains(".") && (1...5).contains(ending.count)
        && ending.allSatisfy { $0.isASCII && $0.isLetter }
    guard isFile, rest.isEmpty || rest.hasPrefix(")"), let line = wholeNumber(digits), line > 0 else {
        return nil
    }
    return CodePlace(file: String(file), line: line)
}

extension Substring {
    fileprivate func suffix(while isWanted: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isWanted($0) }) else { return self }
        return self[index(after: last)...]
    }
}
