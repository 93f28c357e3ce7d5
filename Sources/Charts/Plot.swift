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
    /// Where lanes and bands under the plot begin.
    let laneTop: Int
    /// The baseline of the first row of the legend.
    let legendLine: Int
    /// What explains the marks.
    let legend: Legend

    /// Lays out the area: room on the left for tick labels, on the right for direct labels, below for what is
    /// there.
    init(domain: DateDomain, ticks: NiceTicks, margins: Margins) {
        self.ticks = ticks
        self.x = DateScale(domain: domain, left: margins.left, right: Self.width - margins.right)
        let bottom = margins.top + margins.plotHeight
        self.y = LinearScale(lower: ticks.lower, upper: ticks.upper, top: margins.top, bottom: bottom)
        self.glyphLine = bottom + 90
        self.dayLabelLine = bottom + (margins.hasGlyphs ? 310 : 190)
        self.laneTop = dayLabelLine + 100
        self.legend = Legend(margins.legend, left: margins.left, right: Self.width)
        let end = dayLabelLine + (margins.lanes > 0 ? margins.lanes + 100 : 0)
        self.legendLine = end + 230
        self.height = (legend.rows > 0 ? legendLine + legend.height - Legend.rowHeight : end) + 80
    }

    /// How much room stands round the area, and what stands there.
    struct Margins {
        var left: Int
        var right: Int
        var top: Int
        var plotHeight: Int
        var hasGlyphs: Bool
        var legend: [Legend.Entry]
        /// The height of the lanes under the labels of the days.
        var lanes = 0
    }
}
