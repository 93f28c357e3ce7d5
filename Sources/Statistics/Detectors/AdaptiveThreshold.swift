private import Platform

/// The bar that an app's scores must pass: a floor, or the record of its own past by a margin.
///
/// A record among exchangeable steps is rare whatever the law of their noise: of n steps the next one beats
/// them all with a chance of 1/(n + 1). So a noisy app raises its own bar and no constant has to know how
/// noisy it is. Scores within an alarm are cut off rather than skipped: without them the bar would not learn.
/// An incident that lasts is no noise: once it is over the bar is as it was, so that the next one needs be no larger.
struct AdaptiveThreshold {
    /// The least bar.
    let floor: Double
    /// By what factor the record must be beaten.
    let margin: Double
    /// How many steps the record looks back, and how many before the present one it leaves out.
    let span: Int, lag: Int
    /// How many steps an alarm lasts, and the part of its bar that its scores are cut off at.
    let alarmSteps: Int, alarmCut: Double
    /// The record in place of a past that is not known yet.
    let startingRecord: StartingRecord

    private var scores: [Double] = []
    /// The first step that has a score.
    private var first: Int?
    /// The last step that has a score.
    private var latest: Int?
    private var alarm: (end: Int, cut: Double)?
    private var incident: Incident?

    /// So many high steps are an incident: noise seldom has them together.
    private static let lastingSteps = 4

    /// An alarm and those that follow it without a break.
    private struct Incident {
        let start: Int
        /// What leaves the bar as it was before.
        let harmless: Double
        var end: Int
        var high = 0
    }

    /// No past yet.
    init(
        floor: Double, margin: Double, span: Int, lag: Int, alarmSteps: Int, alarmCut: Double,
        startingRecord: StartingRecord = StartingRecord(score: 0)
    ) {
        self.floor = floor
        self.margin = margin
        self.span = span
        self.lag = lag
        self.alarmSteps = alarmSteps
        self.alarmCut = alarmCut
        self.startingRecord = startingRecord
    }

    /// What the next score must exceed.
    var bar: Double {
        let known = max(0, recordEnd - (first ?? recordEnd))
        return max(floor, margin * max(record, startingRecord.score(after: known, of: span)))
    }

    /// The bar by which scores within an alarm are cut off: what counts in place of steps that are not known passes with them,
    /// and so must what it lets in.
    private var taughtBar: Double {
        startingRecord.isOfUnknownSteps ? max(floor, margin * record) : bar
    }

    private var recordEnd: Int { max(0, scores.count - lag + 1) }
    /// The largest score of the steps that a record looks back.
    private var record: Double { scores[max(0, recordEnd - span)..<recordEnd].max() ?? 0 }

    /// Adds the score of the next step, and whether it was reported.
    ///
    /// - Parameters:
    ///   - score: Nil for a step that was not judged.
    ///   - isHigh: Whether the step alone, without those before it, is out of the ordinary.
    mutating func add(_ score: Double?, reported: Bool, isHigh: Bool = false) {
        let step = scores.count
        let taughtBar = taughtBar
        if score != nil {
            // After a span without any, nothing is known again.
            if step - (latest ?? step) > span { first = nil }
            (first, latest) = (first ?? step, step)
        }
        let score = score ?? 0
        if reported, step > alarm?.end ?? -1 { alarm = (step + alarmSteps, alarmCut * taughtBar) }
        if let alarm, step <= alarm.end {
            scores.append(min(score, alarm.cut))
        } else {
            scores.append(score)
        }
        endIncident(before: step)
        if reported, incident == nil {
            incident = Incident(start: step, harmless: taughtBar / margin, end: step)
        }
        if reported || isHigh { incident?.end = step + alarmSteps }
        if isHigh { incident?.high += 1 }
    }

    /// Once an incident is over, its scores teach nothing: what was found is no noise.
    private mutating func endIncident(before step: Int) {
        guard let incident, step > incident.end else { return }
        self.incident = nil
        guard incident.high >= Self.lastingSteps else { return }
        for place in incident.start..<step { scores[place] = min(scores[place], incident.harmless) }
    }
}

/// The record in place of a past that is not known yet: that of a few steps alone is soon beaten by chance.
struct StartingRecord {
    /// The score, about the record of a span of quiet steps.
    let score: Double
    /// The first steps, which have scores that mean nothing.
    var silentSteps = 0
    /// Whether it is the record of as many steps as are still unknown; else it counts in full until a whole span is known.
    var isOfUnknownSteps = false

    /// What it counts for after some steps of the span that a record looks back.
    ///
    /// Scores are logarithms of chances, so that the record of half as many steps is lower by log₁₀ 2.
    fileprivate func score(after steps: Int, of span: Int) -> Double {
        let unknown = span - max(0, steps - silentSteps)
        guard unknown > 0 else { return 0 }
        return isOfUnknownSteps ? max(0, score + log(Double(unknown) / Double(span)) / log(10)) : score
    }
}
