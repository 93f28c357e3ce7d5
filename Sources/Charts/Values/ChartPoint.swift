package import AppHealth
package import Statistics

/// One day of a series: a value, or the reason why there is none.
package struct ChartPoint: Hashable, Sendable {
    /// Why a day has no value.
    package enum Absence: String, Hashable, Sendable, CaseIterable {
        /// The source gave nothing for this day.
        case missing
        /// The fetch went wrong.
        case failed
        /// Nobody asked the source for this day.
        case notCollected
        /// The source answered: there were no sessions, so there is no rate.
        case noSessions
        /// There were too few to say anything of a rate.
        case belowMinimum
    }

    /// What is known of the day.
    package enum Content: Hashable, Sendable {
        /// A finite value, with its interval when there is one.
        case value(Double, interval: Interval?)
        /// No value.
        case absent(Absence)
    }

    /// The day.
    package let date: CivilDate
    /// What is known of it.
    package let content: Content
    /// Whether late data may still change the day.
    package let provisional: Bool

    /// A day with a value; one that is not finite, or beyond ±10^18, counts as missing.
    package init(_ date: CivilDate, _ value: Double?, interval: Interval? = nil, provisional: Bool = false) {
        self.date = date
        self.provisional = provisional
        if let value, value.magnitude <= 1e18 {
            self.content = .value(value, interval: interval)
        } else {
            self.content = .absent(.missing)
        }
    }

    /// A day without a value.
    package init(_ date: CivilDate, absent: Absence, provisional: Bool = false) {
        self.date = date
        self.content = .absent(absent)
        self.provisional = provisional
    }

    /// The value, when there is one.
    package var value: Double? { if case .value(let value, _) = content { value } else { nil } }

    /// The interval, when there is one.
    package var interval: Interval? { if case .value(_, let interval) = content { interval } else { nil } }

    /// Why there is no value, when there is none.
    package var absence: Absence? { if case .absent(let absence) = content { absence } else { nil } }
}

extension ChartPoint.Absence {
    /// The label in legends and tables.
    package var text: String {
        switch self {
        case .missing: "No data"
        case .failed: "Fetch failed"
        case .notCollected: "Not fetched"
        case .noSessions: "No sessions"
        case .belowMinimum: "Too little data"
        }
    }

    /// The word in a sentence that counts days without data.
    var word: String { self == .missing ? "missing" : text.lowercased() }

    /// The character that stands for the state where only text can.
    package var glyph: Character {
        switch self {
        case .missing: "•"
        case .failed: "×"
        case .notCollected: "–"
        case .noSessions: "○"
        case .belowMinimum: "▿"
        }
    }
}
