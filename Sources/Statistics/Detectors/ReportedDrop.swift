/// A fall that was told and has not come back yet.
///
/// While it lasts its nights count like any other, so that a fall that stays becomes the usual; once the rate is
/// back they no longer count, so that a fall that is over does not hide the next one.
struct ReportedDrop {
    /// The nights that belong to it, the last one being the newest.
    private var nights: [Int] = []
    /// The crashed share above which a night belongs to it.
    private let limit: Double
    private let first: Int
    private var quiet = 0

    /// How many nights in a row the rate must be back.
    private static let quietNights = 3
    /// After so many nights it is the usual.
    private static let longest = 28

    init(_ finding: DropFinding) {
        first = finding.day - finding.window + 1
        limit = finding.expected + finding.size / 2
    }

    /// Takes in the next night; whether the rate is back, or never will be.
    mutating func isOver(on night: Int, in series: [DayCount?]) -> Bool {
        for place in max(first, (nights.last ?? first - 1) + 1)...max(first, night)
        where isDown(series, place) {
            nights.append(place)
        }
        quiet = nights.last == night || series[night] == nil ? 0 : quiet + 1
        if night - first >= Self.longest { nights = [] }
        return quiet >= Self.quietNights || nights.isEmpty
    }

    /// Leaves its nights out of what is to be expected.
    func forget(in past: inout [DayCount?]) {
        for night in nights { past[night] = nil }
    }

    private func isDown(_ series: [DayCount?], _ place: Int) -> Bool {
        guard let day = series[place], day.total > 0 else { return false }
        return Double(day.crashed) > limit * Double(day.total)
    }
}
