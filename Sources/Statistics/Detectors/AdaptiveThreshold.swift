/// The bar that an app's scores must pass: a floor, or the record of its own past by a margin.
///
/// A record among exchangeable steps is rare whatever the law of their noise: of n steps the next one beats
/// them all with a chance of 1/(n + 1). So a noisy app raises its own bar and no constant has to know how
/// noisy it is. Scores within an alarm are cut off rather than skipped: without them the bar would not learn.
struct AdaptiveThreshold {
    /// The least bar.
    let floor: Double
    /// By what factor the record must be beaten.
    let margin: Double
    /// How many steps the record looks back, and how many before the present one it leaves out.
    let span: Int, lag: Int
    /// How many steps an alarm lasts, and the part of its bar that its scores are cut off at.
    let alarmSteps: Int, alarmCut: Double

    private var scores: [Double] = []
    private var alarm: (end: Int, cut: Double)?

    /// No past yet.
    init(floor: Double, margin: Double, span: Int, lag: Int, alarmSteps: Int, alarmCut: Double) {
        self.floor = floor
        self.margin = margin
        self.span = span
        self.lag = lag
        self.alarmSteps = alarmSteps
        self.alarmCut = alarmCut
    }

    /// What the next score must exceed.
    var bar: Double {
        let end = max(0, scores.count - lag + 1)
        let record = scores[max(0, end - span)..<end].max() ?? 0
        return max(floor, margin * record)
    }

    /// Adds the score of the next step, and whether it was reported.
    mutating func add(_ score: Double, reported: Bool) {
        let step = scores.count
        if reported, step > alarm?.end ?? -1 { alarm = (step + alarmSteps, alarmCut * bar) }
        if let alarm, step <= alarm.end {
            scores.append(min(score, alarm.cut))
        } else {
            scores.append(score)
        }
    }
}
