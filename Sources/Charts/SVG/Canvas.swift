import Estimates

/// The ids, the size and the head that all drawings share; sizes are in tenths of a unit.
struct Canvas: Hashable, Sendable {
    /// What kind of drawing is on it.
    enum Kind: Hashable, Sendable {
        /// A chart that fills the width of its place.
        case chart
        /// Rows with names.
        case list
        /// A chart that is narrow enough for a telephone.
        case strip
        /// A line as small as a word, of a fixed size.
        case sparkline
    }

    let id: String
    /// What the ids of the wide drawing begin with: the narrow one uses its shapes and its pattern.
    let wideID: String
    let title: String
    let kind: Kind
    let size: DrawingSize
    let width: Int
    let height: Int

    /// A canvas as wide as its place, unless another width is given.
    init(
        name: String, title: String, kind: Kind = .chart, _ size: DrawingSize, width: Int? = nil, height: Int
    ) {
        self.id = identifier(name) + (size == .narrow ? "-narrow" : "")
        self.wideID = identifier(name)
        self.title = displayText(title, limit: 200)
        self.kind = kind
        self.size = size
        self.width = width ?? size.width
        self.height = height
    }

    /// Opens the drawing within a page.
    func open(_ description: String, _ out: inout SVGWriter) {
        out.raw("<svg")
        guard kind != .sparkline else { return openSmall(description, &out) }
        attributes(isFile: false, &out)
        names(description, &out)
    }

    /// A small drawing says in one attribute what it shows: a page has many, and ids would be longer than it.
    private func openSmall(_ description: String, _ out: inout SVGWriter) {
        beginAttributes(&out)
        out.raw("label=\"")
        out.escaped(title)
        out.raw(". ")
        out.escaped(description)
        out.raw("\" ")
        endAttributes(isFile: false, &out)
    }

    /// Opens the drawing as a file of its own; a chart shows its title above the plot.
    func openFile(_ description: String, _ out: inout SVGWriter) {
        out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"")
        attributes(isFile: true, &out)
        names(description, &out)
        out.raw("<style>")
        out.raw(standalonePalette)
        out.rules(chartRules)
        out.raw("</style>")
        guard kind != .sparkline else { return }
        out.raw("<path class=\"chart-surface\" d=\"M-12-36h")
        out.tenths(width + 240)
        out.raw("v")
        out.tenths(height + 480)
        out.raw("h-")
        out.tenths(width + 240)
        out.raw("z\"/><text class=\"chart-title\" font-size=\"15\" font-weight=\"600\"")
        out.label(displayText(title, limit: width / 80), x: 0, y: -120)
    }

    /// Opens the drawing within a figure whose caption says what it shows: its name is its title alone, and the
    /// sentence its description, so that it is not read twice. A narrow drawing is next to a wide one that has
    /// the description.
    func openCaptioned(_ description: String, _ out: inout SVGWriter) {
        out.raw("<svg")
        classAttributes(&out)
        endAttributes(isFile: false, &out)
        out.raw("<title>")
        out.escaped(title)
        out.raw("</title>")
        guard size == .wide else { return }
        out.raw("<desc>")
        out.escaped(description)
        out.raw("</desc>")
    }

    private func attributes(isFile: Bool, _ out: inout SVGWriter) {
        beginAttributes(&out)
        out.raw("labelledby=\"")
        out.escaped(id)
        out.raw("-title ")
        out.escaped(id)
        out.raw("-desc\" ")
        endAttributes(isFile: isFile, &out)
    }

    private func beginAttributes(_ out: inout SVGWriter) {
        classAttributes(&out)
        out.raw("aria-")
    }

    private func classAttributes(_ out: inout SVGWriter) {
        switch kind {
        case .list: out.raw(" class=\"chart chart-list\" role=\"img\" ")
        case .strip: out.raw(" class=\"chart chart-strip\" role=\"img\" ")
        case .chart: out.raw(" class=\"chart\" role=\"img\" ")
        case .sparkline: out.raw(" class=\"sparkline\" role=\"img\" ")
        }
    }

    private func endAttributes(isFile: Bool, _ out: inout SVGWriter) {
        switch kind {
        case .sparkline:
            out.raw("height=\"28\" viewBox=\"0 0 120 28\" fill=\"currentColor\">")
        case .chart, .list, .strip:
            box(isFile: isFile, &out)
            out.raw("font-size=\"12\" fill=\"currentColor\">")
        }
    }

    private func box(isFile: Bool, _ out: inout SVGWriter) {
        out.raw(isFile ? "viewBox=\"-12 -36 " : "viewBox=\"0 0 ")
        out.tenths(isFile ? width + 240 : width)
        out.raw(" ")
        out.tenths(isFile ? height + 480 : height)
        out.raw("\" ")
    }

    /// The title and the description for those who cannot see the drawing.
    private func names(_ description: String, _ out: inout SVGWriter) {
        out.raw("<title id=\"")
        out.escaped(id)
        out.raw("-title\">")
        out.escaped(title)
        out.raw("</title><desc id=\"")
        out.escaped(id)
        out.raw("-desc\">")
        out.escaped(description)
        out.raw("</desc>")
    }
}
