import Analysis
import AppHealth
import Statistics
import Testing

struct CourseTrendTests {
    /// 28 days of an app: its sessions, and the share that crashes, by day.
    struct Course: Sendable {
        let name: String
        let sessions: @Sendable (Int) -> Double
        let crashing: @Sendable (Int) -> Double
        let trend: CourseTrend
    }

    /// The counts of each day are the rounded running sum of what is to be expected, so that no chance is in them.
    private func days(_ course: Course) -> [Fraction?] {
        var (crashed, expected) = (0, 0.0)
        return (0..<28).map { day in
            let sessions = Int(course.sessions(day))
            expected += course.crashing(day) * Double(sessions)
            let count = min(Int(expected.rounded()) - crashed, sessions)
            crashed += count
            return Fraction(count, of: sessions)
        }
    }

    @Test(
        arguments: [
            Course(name: "level", sessions: { _ in 5000 }, crashing: { _ in 0.004 }, trend: .flat),
            Course(
                name: "a release that its users leave",
                sessions: { $0 < 10 ? 5000 : Double(max(1, 5000 >> ($0 - 9))) },
                crashing: { _ in 0.004 }, trend: .flat),
            Course(
                name: "a new app", sessions: { Double(5 << ($0 / 3)) }, crashing: { _ in 0.006 }, trend: .flat
            ),
            Course(name: "no crash", sessions: { Double(900 - 30 * $0) }, crashing: { _ in 0 }, trend: .flat),
            Course(
                name: "fewer crashes", sessions: { _ in 20_000 }, crashing: { 0.006 - 0.0001 * Double($0) },
                trend: .rising),
            Course(
                name: "more crashes", sessions: { Double(50_000 - 1_000 * $0) },
                crashing: { 0.002 + 0.0001 * Double($0) }, trend: .falling),
        ])
    func aRateHasATrendThatIsNotOfItsSize(course: Course) {
        #expect(CourseTrend(crashed: days(course)) == course.trend, "\(course.name)")
    }

    /// A binomial world in which no rate ever changes, and use falls to a thousandth.
    @Test func chanceOfFewSessionsIsNoTrend() {
        var random = TestNumbers(state: 19)
        var claims = 0
        for _ in 0..<400 {
            let days = (0..<28).map { day -> Fraction? in
                let sessions = max(1, 2_000 >> (day / 2))
                let crashed = (0..<sessions).count { _ in Double.random(in: 0..<1, using: &random) < 0.01 }
                return Fraction(crashed, of: sessions)
            }
            claims += CourseTrend(crashed: days) == .flat ? 0 : 1
        }
        #expect(claims <= 10)
    }

    @Test func fewDaysHaveNone() {
        #expect(CourseTrend(crashed: (0..<7).map { Fraction($0, of: 100) }) == nil)
        #expect(CourseTrend(crashed: [nil, nil] + (0..<8).map { Fraction($0, of: 100) }) != nil)
    }
}
