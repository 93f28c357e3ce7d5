import AppHealth
import Transport

/// The signatures with most reports, as issues.
func issues(_ answer: SocorroAnswer, most: Int, below base: Address, losses: inout SkippedValues)
    -> [Issue]
{
    var seen: Set<String> = []
    var result: [Issue] = []
    for item in answer.facets.signature?.items ?? [] where result.count < most {
        let (name, path) = (item.value.term.text, "facets.signature[\(item.index)].term")
        guard !name.isEmpty, losses.isFirst(name, in: &seen, at: path, "a signature") else { continue }
        result.append(
            Issue(
                id: name, title: name, kind: isHang(name) ? .hang : .crash, state: .open,
                events: item.value.count.value, url: page(of: name, below: base)))
    }
    return result
}

/// What Socorro writes before the signature of a report that a watchdog asked for.
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

/// The issues' reports by day, in the order of the days.
///
/// A day without a bucket had no report. On a day that lists all its signatures, one that is missing had none;
/// otherwise its count is below the smallest listed and unknown.
func issueDays(
    _ answer: SocorroAnswer, of issues: [Issue], from first: CivilDate, to last: CivilDate,
    losses: inout SkippedValues
) -> [IssueDay] {
    var buckets: [CivilDate: SocorroAnswer.Bucket] = [:]
    var isDamaged: Set<CivilDate> = []
    for item in answer.facets.days?.items ?? [] {
        let path = "facets.histogram_date[\(item.index)].term"
        guard let date = Instant(item.value.term.text)?.date, (first...last).contains(date) else {
            losses.refuse(
                path, expected: "a requested day", found: quoted(item.value.term.text, limit: 40))
            return []
        }
        if buckets.updateValue(item.value, forKey: date) != nil { isDamaged.insert(date) }
    }
    return (0...max(0, first.days(to: last))).flatMap { offset -> [IssueDay] in
        let date = first.advanced(by: offset)
        return isDamaged.contains(date) ? [] : days(of: issues, on: date, buckets[date])
    }
}

private func days(of issues: [Issue], on date: CivilDate, _ bucket: SocorroAnswer.Bucket?)
    -> [IssueDay]
{
    let leaves = bucket?.facets?.signature?.values ?? []
    let counts = Dictionary(leaves.map { ($0.term.text, $0.count.value) }) { first, _ in first }
    let isWhole = bucket.map { sum(leaves) == $0.count.value } ?? true
    return issues.compactMap { issue in
        (counts[issue.id] ?? (isWhole ? 0 : nil)).map {
            IssueDay(issue: issue.id, date: date, events: $0, users: nil)
        }
    }
}

/// The newest version of each signature, where all its versions are listed.
func newestVersions(_ answer: SocorroAnswer) -> [String: Version] {
    var result: [String: Version] = [:]
    for bucket in answer.facets.signature?.values ?? [] {
        let leaves = bucket.facets?.version?.values ?? []
        guard sum(leaves) == bucket.count.value else { continue }
        result[bucket.term.text] = leaves.map { Version($0.term.text) }.max()
    }
    return result
}

/// The sum of the counts; nil when it is beyond every number.
private func sum(_ leaves: [SocorroAnswer.Leaf]) -> Int? {
    leaves.reduce(Int?.some(0)) { total, leaf in
        guard let (sum, isOver) = total?.addingReportingOverflow(leaf.count.value), !isOver else {
            return nil
        }
        return sum
    }
}
