/// The plotting area of a chart with its two scales; all positions are tenths of a unit.
struct Plot {
    /// The width of every chart with axes.
    static let width = 7200

    let x: DateScale
    let y: LinearScale
    let ticks: NiceTicks
    /// The height of the whole drawing.
    let height: Int
    /// Where glyphs of absent days stand.
    let glyphLine: Int
    /// The baseline of the labels of the days.
    let dayLabelLine: Int
    /// The baseline of the legend.
    let legendLine: Int

    /// Lays out the area: room on the left for tick labels, on the right for direct labels, below for what is
    /// there.
    init(domain: DateDomain, ticks: NiceTicks, margins: Margins) {
        self.ticks = ticks
        self.x = DateScale(domain: domain, left: margins.left, right: Self.width - margins.right)
        let bottom = margins.top + margins.plotHeight
        self.y = LinearScale(lower: ticks.lower, upper: ticks.upper, top: margins.top, bottom: bottom)
        self.glyphLine = bottom + 90
        self.dayLabelLine = bottom + (margins.hasGlyphs ? 310 : 190)
        self.legendLine = dayLabelLine + 230
        self.height = (margins.hasLegend ? legendLine : dayLabelLine) + 80
    }

    /// How much room stands round the area, and what stands there.
    struct Margins {
        var left: Int
        var right: Int
        var top: Int
        var plotHeight: Int
        var hasGlyphs: Bool
        var hasLegend: Bool
    }
}
