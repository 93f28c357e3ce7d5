import Statistics

/// What is said of a sample that is too small for its rate.
extension PercentFormat {
    /// `about 1,100 more sessions needed for ± 0.5 points`.
    package static func neededText(_ needed: Int, unit: String, halfWidth: Double = wantedHalfWidth) -> String
    {
        "about \(estimateText(needed)) more \(unit) needed for \(precisionText(halfWidth))"
    }

    /// `± 0.5 points`.
    package static func precisionText(_ halfWidth: Double = wantedHalfWidth) -> String {
        "±\u{A0}\(trimmedDecimalText(halfWidth * 100, decimals: 2)) points"
    }
}
