import Analysis
import AppHealth
import Formatting
import Statistics

/// What the rates of two releases are counted over.
enum ComparedSpan: String, Sendable, CaseIterable {
    /// Sessions of the same days of their lives.
    case sameAge
    /// As many first sessions of each.
    case sameSessions
    /// Sessions of all their lives.
    case life
    /// Users of one day of their lives, the same of each.
    case usersAtAge
    /// Users of one day of the calendar.
    case usersOnDay

    /// What is counted.
    var basis: Basis { self == .usersAtAge || self == .usersOnDay ? .users : .sessions }

    /// `crash-free sessions at the same age`.
    var name: String {
        switch self {
        case .sameAge: "crash-free sessions at the same age"
        case .sameSessions: "crash-free sessions at as many sessions"
        case .life: "crash-free sessions over their lives"
        case .usersAtAge: "crash-free users at the same age"
        case .usersOnDay: "crash-free users on the same day"
        }
    }
}

/// The crashed shares of two releases over the same span, each with its state.
struct ComparedRate: Sendable {
    let span: ComparedSpan
    /// The span in words, such as `days 0 to 3 of each`; empty when there is none.
    let window: String
    let later: DataState<Fraction>
    let earlier: DataState<Fraction>
    let names: RateDifference.Names
    let origin: Explanation.Origin?

    /// The difference of the crash-free rates.
    var difference: DataState<RateDifference> { later.minus(earlier, names) }
}

extension AppReport {
    /// Two releases held against each other by days of their lives; nil when that cannot be.
    func lifePair(_ releases: ComparedReleases) -> ReleasePair? {
        guard let later = life(of: releases.later), let earlier = life(of: releases.earlier) else {
            return nil
        }
        return ReleasePair(later, earlier)
    }

    private func life(of release: Release) -> ReleaseHistory? {
        judgements[release.version.label]?.basis?.life
    }

    /// Why there is no `lifePair`.
    private func whyUnmatched(_ releases: ComparedReleases) -> String {
        for release in [releases.later, releases.earlier] {
            let label = release.version.label
            guard let life = life(of: release) else { return "no sessions of \(label) by day" }
            switch life.start {
            case .known: continue
            case .beforeFigures: return "\(label) was in use before the first figures"
            case .belowShare:
                return
                    "\(label) never had \(PercentFormat.levelText(ReleaseHistory.threshold)) of all sessions"
            }
        }
        return "no age of which both have counts"
    }

    /// The rates of two releases beside each other, over each span.
    func comparedRates(_ releases: ComparedReleases, _ lives: ReleasePair?) -> [ComparedRate] {
        ComparedSpan.allCases.map { span in
            switch span {
            case .sameAge:
                matched(span, releases, lives, \.atAge, window: agesText)
            case .sameSessions:
                matched(span, releases, lives, \.atSessions, window: firstSessionsText)
            case .life: overLives(releases)
            case .usersAtAge: usersAtAge(releases, lives)
            case .usersOnDay: usersOnDay(releases)
            }
        }
    }

    private func matched(
        _ span: ComparedSpan, _ releases: ComparedReleases, _ lives: ReleasePair?,
        _ counts: KeyPath<ReleasePair, ReleasePair.Counts>, window: (ReleasePair) -> String
    ) -> ComparedRate {
        let counted = lives?[keyPath: counts]
        let why = lives == nil ? whyUnmatched(releases) : "no sessions"
        return rate(
            span, releases, lives.map(window) ?? "", why,
            later: counted.flatMap { Fraction($0.later.crashed, of: $0.later.total) },
            earlier: counted.flatMap { Fraction($0.earlier.crashed, of: $0.earlier.total) })
    }

    private func overLives(_ releases: ComparedReleases) -> ComparedRate {
        let (later, earlier) = (releases.later.version.label, releases.earlier.version.label)
        return ComparedRate(
            span: .life, window: "over the life of each", later: releaseCrashed(later),
            earlier: releaseCrashed(earlier), names: releases.names, origin: releaseOrigin(later))
    }

    /// Users of several days overlap, so one day stands for each: the newest age that both were counted at.
    private func usersAtAge(_ releases: ComparedReleases, _ lives: ReleasePair?) -> ComparedRate {
        let found = lives.flatMap { lives in
            (0...lives.age).reversed().lazy.compactMap { age -> (Int, Fraction, Fraction)? in
                guard let later = users(of: releases.later, on: lives.later.day(ofAge: age)),
                    let earlier = users(of: releases.earlier, on: lives.earlier.day(ofAge: age))
                else { return nil }
                return (age, later, earlier)
            }.first
        }
        return rate(
            .usersAtAge, releases, found.map { "day \($0.0) of each" } ?? "",
            lives == nil ? whyUnmatched(releases) : "users of both were counted at no age", later: found?.1,
            earlier: found?.2)
    }

    private func usersOnDay(_ releases: ComparedReleases) -> ComparedRate {
        let found = (0..<Self.chartSpan).lazy.compactMap { back -> (CivilDate, Fraction, Fraction)? in
            let day = lastDay.advanced(by: -back)
            guard let later = users(of: releases.later, on: day),
                let earlier = users(of: releases.earlier, on: day)
            else { return nil }
            return (day, later, earlier)
        }.first
        return rate(
            .usersOnDay, releases, found.map { "on \($0.0.compactText)" } ?? "",
            "users of both were counted on none of the last \(Self.chartSpan) days", later: found?.1,
            earlier: found?.2)
    }

    private func users(of release: Release, on day: CivilDate) -> Fraction? {
        evidence.releaseHealth[.init(date: day, version: release.version.label)]?.crashedUserShare
    }

    private func rate(
        _ span: ComparedSpan, _ releases: ComparedReleases, _ window: String, _ why: String,
        later: Fraction?, earlier: Fraction?
    ) -> ComparedRate {
        func reading(_ share: Fraction?) -> DataState<Fraction> {
            guard let source = evidence.stability else {
                return .unavailable(why: "no source counts sessions")
            }
            return source.reading(.releaseHealth, missing: why) { _ in share }
        }
        return ComparedRate(
            span: span, window: window, later: reading(later), earlier: reading(earlier),
            names: releases.names, origin: stabilityOrigin)
    }

    /// `days 0 to 3 of each`, `days 0 to 9 of each, 8 of them counted of both`.
    private func agesText(_ lives: ReleasePair) -> String {
        let span = lives.age == 0 ? "day 0 of each" : "days 0 to \(lives.age) of each"
        return lives.days == lives.age + 1 ? span : span + ", \(lives.days) of them counted of both"
    }

    private func firstSessionsText(_ lives: ReleasePair) -> String {
        hidesCounts
            ? "as many first sessions of each"
            : "the first \(countText(lives.atSessions.later.total)) sessions of each"
    }
}

extension ComparedReleases {
    /// The labels of the two.
    var names: RateDifference.Names {
        .init(later: later.version.label, earlier: earlier.version.label)
    }
}
