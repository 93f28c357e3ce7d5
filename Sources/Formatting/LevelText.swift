import Statistics

/// Levels that a person or the field set, and how precise a rate should be.
extension PercentFormat {
    /// A level with no more decimals than it has, at most four: `99.5%`.
    package static func levelText(_ level: Double) -> String { levelNumber(level) + unit }

    /// A level as a bare number of percent: `99.5`.
    package static func levelNumber(_ level: Double) -> String {
        trimmedDecimalText(level * 100, decimals: 4)
    }

    /// How many more a sample needs for its rate: `about 1,100 more sessions needed for ±0.5 pp`.
    package static func neededText(_ needed: Int, unit: String, halfWidth: Double = wantedHalfWidth) -> String
    {
        "about \(estimateText(needed)) more \(unit) needed for \(precisionText(halfWidth))"
    }

    /// Half the width of an interval: `±0.5 pp`.
    package static func precisionText(_ halfWidth: Double = wantedHalfWidth) -> String {
        "±" + trimmedPointsText(halfWidth * 100, decimals: 2)
    }
}

/// The standard confidence in words: `95%`.
package let standardConfidenceText = PercentFormat.levelText(standardConfidence)

/// A difference of rates in percentage points without a plus sign: `0.84 pp`, `−0.04 pp`. A no-break space
/// keeps number and unit on one line.
package func pointsText(_ points: Double, decimals: Int) -> String {
    decimalText(points, decimals: decimals) + pointsUnit
}

/// A difference in percentage points with at most so many decimals, without zeros at the end: `0.5 pp`.
package func trimmedPointsText(_ points: Double, decimals: Int) -> String {
    trimmedDecimalText(points, decimals: decimals) + pointsUnit
}

/// Percentage points behind a number, with the no-break space before them.
let pointsUnit = "\u{A0}pp"
