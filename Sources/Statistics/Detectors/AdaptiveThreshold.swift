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
        let end = max(0, scores.count - lag + 1)
        let record = scores[max(0, end - span)..<end].max() ?? 0
        return max(floor, margin * max(record, startingRecord.score(after: end, of: span)))
    }

    /// Adds the score of the next step, and whether it was reported.
    ///
    /// - Parameter isHigh: Whether the step alone, without those before it, is out of the ordinary.
    mutating func add(_ score: Double, reported: Bool, isHigh: Bool = false) {
        let step = scores.count
        let bar = bar
        if reported, step > alarm?.end ?? -1 { alarm = (step + alarmSteps, alarmCut * bar) }
        if let alarm, step <= alarm.end {
            scores.append(min(score, alarm.cut))
        } else {
            scores.append(score)
        }
        endIncident(before: step)
        if reported, incident == nil {
            incident = Incident(start: step, harmless: bar / margin, end: step)
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

/// The record in place of a past that is not known yet: that of a few steps alone is soon beaten by chance. It counts in full
/// until a whole span is known.
struct StartingRecord {
    /// The score.
    let score: Double
    /// The first steps, which have no scores.
    var silentSteps = 0

    /// What it counts for after some steps of the span that a record looks back.
    fileprivate func score(after steps: Int, of span: Int) -> Double {
        steps - silentSteps < span ? score : 0
    }
}
