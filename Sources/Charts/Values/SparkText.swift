package import Statistics

/// A row of block glyphs from ▁ to █, one for each value; a dot stands for a gap.
///
/// The glyphs span the given domain, or the least and the greatest value; all equal values stand half high.
/// Values that are not finite are gaps.
package func sparkText(_ values: [Double?], domain: Interval? = nil) -> String {
    let present = values.compactMap { $0 }.filter(\.isFinite)
    guard let least = present.min(), let greatest = present.max() else {
        return String(repeating: "·", count: values.count)
    }
    let low = domain?.lower ?? least
    let high = domain?.upper ?? greatest
    func glyph(_ value: Double?) -> Unicode.Scalar {
        guard let value, value.isFinite else { return "·" }
        guard high > low, (high - low).isFinite else { return "▄" }
        let share = min(max((value - low) / (high - low), 0), 1)
        return blocks[min(Int(share * 8), 7)]
    }
    return String(String.UnicodeScalarView(values.map(glyph)))
}

private let blocks: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/// The glyphs of a series: its newest days, as many as fit on a line of text.
func glyphLine(_ series: DaySeries, fromZero: Bool = false) -> String {
    let values = series.points.suffix(60).map(\.value)
    let greatest = values.compactMap { $0 }.max()
    return sparkText(values, domain: fromZero ? greatest.map { Interval(lower: 0, upper: $0) } : nil)
}
