import AppHealth
import Transport

/// The signatures with most reports, and those with most on one of the last days, as issues: a new one has few among
/// those of weeks.
func issues(
    _ answer: SocorroAnswer, on days: [SocorroDay], _ configuration: SocorroConfiguration,
    losses: inout SkippedValues
) -> [Issue] {
    func issue(_ name: String, events: Int?) -> Issue {
        Issue(
            id: name, title: name, kind: isHang(name) ? .hang : .crash, state: .open, events: events,
            url: page(of: name, below: configuration.base))
    }
    let lately = Set(
        days.suffix(configuration.latelyDays).flatMap { $0.top(configuration.mostIssuesOfDay) })
    var seen: Set<String> = []
    var result: [Issue] = []
    for item in answer.facets.signature?.items ?? [] {
        let (name, path) = (item.value.term.text, "facets.signature[\(item.index)].term")
        guard result.count < configuration.mostIssues || lately.contains(name), !name.isEmpty,
            losses.isFirst(name, in: &seen, at: path, "a signature")
        else { continue }
        result.append(issue(name, events: item.value.count.value))
    }
    // Of one that is not among those of the window its reports are not known.
    return result + lately.subtracting(seen).filter { !$0.isEmpty }.sorted().map { issue($0, events: nil) }
}

extension SocorroDay {
    /// The signatures with most reports, those with as many by name.
    fileprivate func top(_ most: Int) -> [String] {
        signatures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most).map(\.key)
    }
}

/// What Socorro writes before the signature of a report that a watchdog caused.
private func isHang(_ signature: String) -> Bool {
    ["hang |", "shutdownhang |"].contains { signature.hasPrefix($0) }
}

private func page(of signature: String, below base: Address) -> String? {
    do throws(AddressError) {
        return try base.appending("signature", "").adding(query: [("signature", signature)]).text
    } catch {
        return nil
    }
}

/// What the server reported of one day.
struct SocorroDay: Equatable {
    var date: CivilDate
    /// The reports of the product.
    var reports: Int
    /// The reports of the signatures that are listed.
    var signatures: [String: Int] = [:]
    /// Whether a signature that is not listed had none.
    var isWhole = true

    /// The reports without those of hangs, as far as signatures are listed.
    var crashes: Int {
        let hangs = signatures.filter { isHang($0.key) }.values
        return max(0, reports - hangs.reduce(0) { $0.addingCapped($1) })
    }
}

/// The days that were requested, oldest first. The server sends no bucket for a day without a report; a day that it
/// reports twice is skipped. A response without any bucket may as well be one about a product that is not there.
///
/// - Parameter isComplete: Whether a day without a bucket had no report.
func days(
    of answer: SocorroAnswer, from first: CivilDate, to last: CivilDate, isComplete: Bool,
    losses: inout SkippedValues
) -> [SocorroDay] {
    var isComplete = isComplete
    var buckets: [CivilDate: SocorroAnswer.Bucket] = [:]
    var damaged: Set<CivilDate> = []
    for item in answer.facets.days?.items ?? [] {
        let path = "facets.histogram_date[\(item.index)].term"
        guard let date = Instant(item.value.term.text)?.date, (first...last).contains(date) else {
            losses.refuse(
                path, expected: "a requested day", found: quoted(item.value.term.text, limit: 40))
            isComplete = false
            continue
        }
        if buckets.updateValue(item.value, forKey: date) != nil { damaged.insert(date) }
    }
    guard !buckets.isEmpty else { return [] }
    return (0...max(0, first.days(to: last))).compactMap { offset in
        let date = first.advanced(by: offset)
        guard !damaged.contains(date) else { return nil }
        return buckets[date].map { day(date, $0) } ?? (isComplete ? SocorroDay(date: date, reports: 0) : nil)
    }
}

private func day(_ date: CivilDate, _ bucket: SocorroAnswer.Bucket) -> SocorroDay {
    let leaves = bucket.facets?.signature?.values ?? []
    return SocorroDay(
        date: date, reports: bucket.count.value,
        signatures: Dictionary(leaves.map { ($0.term.text, $0.count.value) }) { first, _ in first },
        isWhole: checkedSum(leaves.map(\.count.value)) == bucket.count.value)
}

extension SocorroDay {
    /// The reports of each issue. On a day that lists all its signatures, one that is missing had none; otherwise its
    /// count is below the smallest listed and unknown.
    func issueDays(of issues: [Issue]) -> [IssueDay] {
        issues.compactMap { issue in
            (signatures[issue.id] ?? (isWhole ? 0 : nil)).map {
                IssueDay(issue: issue.id, date: date, events: $0, users: nil)
            }
        }
    }
}

/// What the days cover: all signatures of a day when each is an issue, otherwise so many of them.
///
/// - Parameter isSampled: Whether the server keeps only a part of the product's reports.
func coverage(of days: [SocorroDay], issues: Set<String>, isSampled: Bool) -> [CoverageSpan] {
    let listed = days.map { day in
        let counted = day.signatures.keys.count { issues.contains($0) }
        return (day.date, coverage(counted: counted, of: day.signatures.count, isWhole: day.isWhole))
    }
    let reports: Coverage = isSampled ? .partial(counted: nil, of: nil) : .complete
    return coverageSpans(.crashes, days.map(\.date), reports)
        + coverageSpans(.issueDays, Dictionary(listed) { first, _ in first }.known)
}

/// The distinct installations of each signature over the window, roughly; zero next to reports is no number.
func installations(_ answer: SocorroAnswer) -> [String: Int] {
    Dictionary(
        (answer.facets.signature?.values ?? []).compactMap { bucket in
            bucket.facets?.installations?.value.flatMap { $0.value.value > 0 ? $0.value.value : nil }
                .map { (bucket.term.text, $0) }
        }
    ) { first, _ in first }
}

/// The newest version of each signature, where all its versions are listed.
func newestVersions(_ answer: SocorroAnswer) -> [String: Version] {
    var result: [String: Version] = [:]
    for bucket in answer.facets.signature?.values ?? [] {
        let leaves = bucket.facets?.version?.values ?? []
        guard checkedSum(leaves.map(\.count.value)) == bucket.count.value else { continue }
        result[bucket.term.text] = leaves.map { Version($0.term.text) }.max()
    }
    return result
}
