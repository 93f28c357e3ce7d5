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

extension [Diagnostic] {
    /// For a console: of findings in responses that differ in numbers alone, such as the place in a list and what was found
    /// there, the first with how many are like it. Pages have each.
    var alikeOnce: [Diagnostic] {
        var kinds: [FindingKind: [Int]] = [:]
        for (place, finding) in enumerated() {
            guard let kind = finding.kindInResponse else { continue }
            kinds[kind, default: []].append(place)
        }
        return enumerated().compactMap { place, finding in
            guard let kind = finding.kindInResponse, let alike = kinds[kind], alike.count > 1 else {
                return finding
            }
            guard place == alike.first else { return nil }
            var first = finding
            let last = alike.last.flatMap { self[$0].location }?.description ?? ""
            first.details.append("\(alike.count - 1) more like it, last at \(last)")
            return first
        }
    }
}

extension Diagnostic {
    /// What it has in common with others of the same response; nil where it is of none.
    fileprivate var kindInResponse: FindingKind? {
        guard case .keyPath(let document, _)? = location else { return nil }
        let words = { (text: String) in text.filter { !$0.isNumber } }
        return FindingKind(id: id, summary: words(summary), details: details.map(words) + [words(document)])
    }
}

/// What findings have in common that differ in their place alone.
private struct FindingKind: Hashable {
    let id: String
    let summary: String
    let details: [String]
}
