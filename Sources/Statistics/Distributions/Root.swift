private import Platform

/// The place where a growing function crosses zero, to the last digits; an end of the bracket when it does
/// not cross there; nil when the function has no value.
///
/// T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
/// function without using derivatives", Advances in Engineering Software 28 (1997) 145–149.
func root(between lower: Double, and upper: Double, of function: (Double) -> Double) -> Double? {
    var bracket = Bracket(lower: lower, upper: upper, of: function)
    guard !bracket.hasNoValue else { return nil }
    if bracket.newest.height == 0 { return lower }
    if bracket.opposite.height <= 0 { return upper }
    if bracket.newest.height > 0 { return lower }
    for _ in 0..<200 {
        guard let place = bracket.nextPlace else { break }
        let height = function(place)
        if height.isNaN { return nil }
        bracket.add(Point(place: place, height: height))
    }
    return bracket.best
}

private struct Point {
    var place: Double
    var height: Double
}

/// Two points on both sides of the root and the one before them.
private struct Bracket {
    var newest: Point
    var opposite: Point
    var previous: Point

    init(lower: Double, upper: Double, of function: (Double) -> Double) {
        newest = Point(place: lower, height: function(lower))
        opposite = Point(place: upper, height: function(upper))
        previous = opposite
    }

    var hasNoValue: Bool { newest.height.isNaN || opposite.height.isNaN }

    var best: Double { abs(newest.height) < abs(opposite.height) ? newest.place : opposite.place }

    /// Where to look next; nil when no place is left between the two points.
    var nextPlace: Double? {
        let width = opposite.place - newest.place
        let least = max(abs(best) * 1e-16, 1e-300) / abs(width)
        if newest.height == 0 || opposite.height == 0 || least > 0.5 { return nil }
        return newest.place + min(max(fraction, least), 1 - least) * width
    }

    /// Inverse quadratic interpolation where it is safe, else the middle.
    private var fraction: Double {
        let along = (newest.place - opposite.place) / (previous.place - opposite.place)
        let rise = (newest.height - opposite.height) / (previous.height - opposite.height)
        guard rise.isFinite, rise * rise < along, (1 - rise) * (1 - rise) < 1 - along else { return 0.5 }
        let first =
            newest.height / (opposite.height - newest.height)
            * (previous.height / (opposite.height - previous.height))
        let second =
            (previous.place - newest.place) / (opposite.place - newest.place)
            * (newest.height / (previous.height - newest.height))
            * (opposite.height / (previous.height - opposite.height))
        return (first + second).isFinite ? first + second : 0.5
    }

    mutating func add(_ point: Point) {
        if (point.height > 0) == (newest.height > 0) {
            previous = newest
        } else {
            previous = opposite
            opposite = newest
        }
        newest = point
    }
}
