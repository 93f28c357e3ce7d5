import Statistics

/// In which surroundings a drawing stands.
enum Setting: Hashable, Sendable {
    /// Within a page whose theme brings the colours.
    case inline
    /// As a file of its own.
    case standalone
}

/// The ids, the head and the tail that all drawings share.
struct Canvas {
    let id: String
    let title: String
    let setting: Setting

    init(name: String, title: String, setting: Setting) {
        self.id = identifier(name)
        self.title = displayText(title, limit: 200)
        self.setting = setting
    }

    /// Opens the drawing; sizes are in tenths. A file of its own shows its title above the plot.
    func open(width: Int, height: Int, description: String, _ out: inout SVGWriter) {
        out.raw("<svg")
        if setting == .standalone { out.raw(" xmlns=\"http://www.w3.org/2000/svg\"") }
        out.raw(" class=\"chart\" role=\"img\" aria-labelledby=\"")
        out.escaped(id)
        out.raw("-title ")
        out.escaped(id)
        out.raw("-desc\" viewBox=\"")
        box(width, height, &out)
        out.raw("\" font-size=\"12\" fill=\"currentColor\">")
        names(description, &out)
        guard setting == .standalone else { return }
        out.raw("<style>")
        out.raw(standaloneStyle)
        out.raw("</style><path class=\"chart-surface\" d=\"M-12-36h744v")
        out.tenths(height + 480)
        out.raw("h-744z\"/><text class=\"chart-title\" font-size=\"15\" font-weight=\"600\"")
        out.label(displayText(title, limit: 90), x: 40, y: -120)
    }

    /// Closes the drawing.
    func close(_ out: inout SVGWriter) { out.raw("</svg>") }

    /// The title and the description for those who cannot see the drawing.
    func names(_ description: String, _ out: inout SVGWriter) {
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

    private func box(_ width: Int, _ height: Int, _ out: inout SVGWriter) {
        let isFile = setting == .standalone
        out.raw(isFile ? "-12 -36 " : "0 0 ")
        out.tenths(isFile ? width + 240 : width)
        out.raw(" ")
        out.tenths(isFile ? height + 480 : height)
    }
}
