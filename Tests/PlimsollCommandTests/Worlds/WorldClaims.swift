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
                checkCovering(day...day, text)
                checkOrder(on: day, text, of: "apps/deck/days/\(date)/data.json")
                checkRises(on: day, text)
            }
            if file == "apps/deck/issues/index.md" { checkCoveringOfTheMonth(text) }
            checkNone(text)
            checkAffected(text)
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
            let first =
                [seen.map(\.day).min(), seen.map { World.first.days(to: $0.arrived.date) }.min()]
                .compactMap(\.self) + truths.compactMap { $0.first(problem) }
            claim(first.contains(day), "\(match.1) is called new on day \(day), and was seen on \(first)")
        }
    }

    /// `3 issues account for 82.0% of 557 crashes`, `The only issue accounts for 100% of 3 crashes`: of some days that are
    /// all known, the issues with most crashes, as few as reach the share.
    private mutating func checkCovering(_ span: ClosedRange<Int>, _ text: String) {
        for match in text.matches(of: coveringPattern) where match.7 == nil {
            let all = match.1 != nil || match.2 != nil
            let count = Int(match.3 ?? match.4 ?? "1") ?? 1
            let share = Double(match.5) ?? 0
            let total = Int(match.6.replacing(",", with: "")) ?? 0
            let isTrue = truths.contains { truth in
                let events = crashes(truth, span)
                if all, events.count != count { return false }
                let part = events.prefix(count).reduce(0, +)
                let fewer = part - (events.prefix(count).last ?? 0)
                return abs(100 * Double(part) / Double(max(total, 1)) - share) <= 0.06
                    && (all || fewer * 10 < total * 8)
            }
            let totals = (truths + days).flatMap { truth in
                [
                    span.map { truth.events(on: $0, of: [.crash]) }.reduce(0, +),
                    span.map { truth.crashedSessions($0, nil) }.reduce(0, +),
                    span.count == 1 ? truth.crashedUsers(span.lowerBound, nil).count : 0,
                ]
            }
            claim(isTrue && totals.contains(total), "days \(span): '\(match.0)'")
        }
    }

    /// The same of the last 28 days; of fewer that are known it is never more than all.
    private mutating func checkCoveringOfTheMonth(_ text: String) {
        for match in text.matches(of: coveringPattern) where match.7 != nil {
            let total = Int(match.6.replacing(",", with: "")) ?? 0
            let all = (truths + days).map { truth in
                (lastDay - 27...lastDay).map {
                    max(truth.events(on: $0, of: [.crash]), truth.crashedSessions($0, nil))
                }.reduce(0, +)
            }
            if total <= all.max() ?? 0 { result.partial += 1 } else { claim(false, "28 days: '\(match.0)'") }
        }
        checkCovering(lastDay - 27...lastDay, text)
    }

    private var coveringPattern:
        Regex<(Substring, Substring?, Substring?, Substring?, Substring?, Substring, Substring, Substring?)>
    {
        /(?:(The only)|(All) ([0-9]+)|([0-9]+))(?: crash)? issues? accounts? for ([0-9.]+)% of (?:at least )?([0-9,]+) crash(?:es|ed sessions?)?( on [0-9]+ of [0-9]+ days)?/
    }

    /// The crashes of each issue that had any, most first.
    private func crashes(_ truth: WorldTruth, _ span: ClosedRange<Int>) -> [Int] {
        world.problems.indices.filter { world.problems[$0].kind == .crash }
            .map { problem in span.map { truth.events(problem, $0) }.reduce(0, +) }
            .filter { $0 > 0 }.sorted(by: >)
    }

    /// The top issues of a day are those with most users or most events, in this order, unless the list says that it is
    /// not whole.
    private mutating func checkOrder(on day: Int, _ text: String, of file: String) {
        let listed = table("issues", of: file).compactMap {
            ($0["id"] as? String).flatMap { truths.last?.problem($0) }
        }
        guard !listed.isEmpty else { return }
        if text.contains("Reported: ") || text.contains("Other issues of the day are unknown") {
            return result.partial += 1
        }
        let others = world.problems.indices.filter { !listed.contains($0) }
        let isTrue = truths.contains { truth in
            [truth.events, truth.users(ofProblem:_:)].contains { count in
                let counts = listed.map { count($0, day) }
                let most = others.map { count($0, day) }.max() ?? 0
                return zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 } && most <= counts.last ?? 0
            }
        }
        let names = listed.map { world.problems[$0].id }
        claim(isTrue, "order of the top issues of day \(day): \(names)")
    }

    /// `No issues on Wednesday, Nov 18 UTC.`, `No crashes on …`: nothing that the service counts.
    private mutating func checkNone(_ text: String) {
        for match in text.matches(of: /No (issues|crashes) on [A-Z][a-z]+day, ([A-Z][a-z]{2}) ([0-9]+)/) {
            guard let day = day(match.2, match.3) else { continue }
            let kinds = match.1 == "issues" ? Set(Issue.Kind.allCases) : [.crash]
            claim(truths.contains { $0.events(on: day, of: kinds) == 0 }, "'\(match.0)'")
        }
    }

    /// `4.5% of your users were affected by 1 issue on Wednesday, Nov 18 UTC.`
    private mutating func checkAffected(_ text: String) {
        let pattern =
            /(About )?([0-9.]+)% of your users were affected by 1 issue on [A-Z][a-z]+day, ([A-Z][a-z]{2}) ([0-9]+)/
        for match in text.matches(of: pattern) {
            guard let day = day(match.3, match.4), let share = Double(match.2) else { continue }
            let isTrue = zip(truths, days).contains { truth, whole in
                let most = world.problems.indices.map { truth.users(ofProblem: $0, day) }.max() ?? 0
                let right = 100 * Double(most) / Double(max(whole.users(day, nil).count, 1))
                return abs(right - share) <= (match.1 == nil ? 0.06 : right / 10)
            }
            claim(isTrue, "'\(match.0)'")
        }
    }

    /// A day of the world as sentences write it.
    private func day(_ month: Substring, _ number: Substring) -> Int? {
        let months = ["Oct": 10, "Nov": 11]
        return months[String(month)].flatMap { month in
            CivilDate("2026-\(month)-\(number.count == 1 ? "0" : "")\(number)")
        }.map { World.first.days(to: $0) }
    }

    /// What alerts on counts state of a day.
    private mutating func checkRises(on day: Int, _ text: String) {
        for match in text.matches(of: /in the past 24 hours. At ([0-9,]+) crash(?:es)?, it/) {
            let crashes = Int(match.1.replacing(",", with: ""))
            claim(
                (truths + days).contains { $0.events(on: day, of: [.crash]) == crashes },
                "day \(day): '\(match.0)'")
        }
        for match in text.matches(of: /Observed: ([0-9,]+) crash(?:es)? on ([0-9]+) of ([0-9]+) days?/) {
            let (crashes, length) = (Int(match.1.replacing(",", with: "")), Int(match.3) ?? 1)
            guard match.2 == match.3, day <= lastDay else { continue }
            let isTrue = (truths + days).contains { truth in
                (day...lastDay).contains { end in
                    (end - length + 1...end).map { truth.events(on: $0, of: [.crash]) }.reduce(0, +)
                        == crashes
                }
            }
            claim(isTrue, "day \(day): '\(match.0)'")
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
