import AppHealth
import Foundation

/// Reads what a built site claims in words, and holds it against the world: nothing may be said that it denies.
extension WorldSite {
    mutating func checkClaims() {
        for file in tree.paths(".md") where file.hasPrefix("apps/deck/") {
            let text = tree[file].replacing("\u{A0}", with: " ")
            let parts = file.split(separator: "/").map(String.init)
            if let place = parts.firstIndex(of: "issues"), parts.count > place + 2 {
                checkCourse(of: parts[place + 1], text)
            }
            if let place = parts.firstIndex(of: "days"), parts.count > place + 2,
                let date = CivilDate(parts[place + 1])
            {
                let day = World.first.days(to: date)
                checkNew(on: day, text)
                checkCovering(on: day, text)
                checkFirst(on: day, text, of: "apps/deck/days/\(date)/data.json")
                checkRises(on: day, text)
            }
            // Nothing was ever fixed in the world.
            if text.contains("regressed:") { claim(false, "\(file): an issue regressed") }
        }
    }

    /// Counts a claim.
    private mutating func claim(_ isTrue: Bool, _ what: @autoclosure () -> String) {
        if isTrue { result.right += 1 } else { result.wrong.append(what()) }
    }

    /// What an issue's page says of its last days: that it rises, or that it has gone quiet.
    private mutating func checkCourse(of id: String, _ text: String) {
        guard let problem = truths.last?.problem(id) else { return }
        if text.contains(/Rising[^\n]*expected \(adjusted/) {
            let isTrue = truths.contains { truth in
                [truth.events, truth.users(ofProblem:_:)].contains { count in
                    let now = (lastDay - 6...lastDay).map { count(problem, $0) }.reduce(0, +)
                    let before = (lastDay - 34...lastDay - 7).map { count(problem, $0) }.reduce(0, +)
                    return now * 4 > before
                }
            }
            claim(isTrue, "issue \(id) is called rising")
        }
        for match in text.matches(of: /Gone[^\n]*none for ([0-9]+) days?/) {
            let silent = max(0, Int(match.1) ?? 0)
            let isTrue = truths.contains { truth in
                (lastDay - silent + 1...lastDay).allSatisfy { truth.events(problem, $0) == 0 }
            }
            claim(isTrue, "issue \(id) is called gone for \(silent) days")
        }
    }

    /// An issue that is called new on a day was not there before it, by when it happened or by when it arrived.
    private mutating func checkNew(on day: Int, _ text: String) {
        for match in text.matches(of: /New issue detected in [^\n]*?(Fault [0-9]+) in Deck/) {
            guard let problem = world.problems.firstIndex(where: { $0.title.hasPrefix("\(match.1) ") }) else {
                continue
            }
            let seen = world.occurrences.filter { $0.problem == problem }
            let first = [
                seen.map(\.day).min(), seen.map { World.first.days(to: $0.arrived.date) }.min(),
            ].compactMap(\.self)
            claim(first.contains(day), "\(match.1) is called new on day \(day), and was seen on \(first)")
        }
    }

    /// `3 issues account for 82.0% of 557 crashes`, `The only issue accounts for 100% of 3 crashes`.
    private mutating func checkCovering(on day: Int, _ text: String) {
        let pattern =
            /(?:(The only)|(All) ([0-9]+)|([0-9]+)) issues? accounts? for ([0-9.]+)% of ([0-9,]+) crash/
        for match in text.matches(of: pattern) {
            let all = match.1 != nil || match.2 != nil
            let count = Int(match.3 ?? match.4 ?? "1") ?? 1
            let share = Double(match.5) ?? 0
            let total = Int(match.6.replacing(",", with: "")) ?? 0
            let isTrue = truths.contains { truth in
                let events = world.problems.indices.filter { world.problems[$0].kind == .crash }
                    .map { truth.events($0, day) }.filter { $0 > 0 }.sorted(by: >)
                if all, events.count != count { return false }
                let part = events.prefix(count).reduce(0, +)
                return abs(100 * Double(part) / Double(max(total, 1)) - share) <= 0.06
            }
            let totals = (truths + days).flatMap {
                [
                    $0.events(on: day, of: [.crash]), $0.crashedSessions(day, nil),
                    $0.crashedUsers(day, nil).count,
                ]
            }
            claim(isTrue && totals.contains(total), "day \(day): '\(match.0)'")
        }
    }

    /// The first of a day's top issues has the most users or the most events, unless the list says that it is not whole.
    private mutating func checkFirst(on day: Int, _ text: String, of file: String) {
        guard let id = table("issues", of: file).first?["id"] as? String,
            let problem = truths.last?.problem(id)
        else { return }
        if text.contains("Reported: ") || text.contains("Other issues of the day are unknown") {
            return result.partial += 1
        }
        let isTrue = truths.contains { truth in
            [truth.events, truth.users(ofProblem:_:)].contains { count in
                let most = world.problems.indices.map { count($0, day) }.max() ?? 0
                return count(problem, day) >= most
            }
        }
        claim(isTrue, "issue \(id) is the first of day \(day)")
    }

    /// What alerts on counts state of a day.
    private mutating func checkRises(on day: Int, _ text: String) {
        for match in text.matches(of: /in the past 24 hours. At ([0-9,]+) crash(?:es)?, it/) {
            let crashes = Int(match.1.replacing(",", with: ""))
            claim(
                (truths + days).contains { $0.events(on: day, of: [.crash]) == crashes },
                "day \(day): '\(match.0)'")
        }
        for match in text.matches(
            of: /(Fault [0-9]+) in Deck[^\n]{0,3} caused ([0-9,]+) events? in the past 24 hours/)
        {
            let events = Int(match.2.replacing(",", with: ""))
            let problem = world.problems.firstIndex { $0.title.hasPrefix("\(match.1) ") } ?? -1
            claim(truths.contains { $0.events(problem, day) == events }, "day \(day): '\(match.0)'")
        }
    }
}
