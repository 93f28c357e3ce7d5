import Diagnostics

extension [Diagnostic] {
    /// Each finding once, where it was met first, with how often it was met again and where last: what a service sends in
    /// another form than expected is in the response to each request.
    var eachOnce: [Diagnostic] {
        var places: [FindingKind: [Diagnostic]] = [:]
        var order: [FindingKind] = []
        for finding in self {
            let kind = FindingKind(id: finding.id, summary: finding.summary, details: finding.details)
            if places[kind] == nil { order.append(kind) }
            places[kind, default: []].append(finding)
        }
        return order.compactMap { kind in
            guard let all = places[kind], var first = all.first else { return nil }
            let others = all.count - 1
            guard others > 0 else { return first }
            let often = others == 1 ? "the same once more" : "the same \(others) more times"
            let last = all.last?.location.flatMap { $0 == first.location ? nil : $0 }
            let place = last.map { (others == 1 ? ", at " : ", last at ") + $0.description } ?? ""
            first.details.append(often + place)
            return first
        }
    }
}

/// What findings have in common that differ in their place alone.
private struct FindingKind: Hashable {
    let id: String
    let summary: String
    let details: [String]
}
