package import Markup

/// The place that a chart is drawn for. One spec has a drawing for each: a narrow one is no smaller picture of the
/// wide one, but has its labels above what they name, fewer ticks, and the same size of letters.
package enum DrawingSize: Hashable, Sendable {
    /// A page of a desk: 720 units.
    case wide
    /// A telephone: 360 units.
    case narrow

    /// The width in tenths of a unit.
    var width: Int { self == .wide ? 7200 : 3600 }
}

/// A drawing that was made once: its marks are the same within a page and in a file of their own.
package struct Drawing: Hashable, Sendable {
    /// The sentence that is in it for those who cannot see it.
    package let description: String
    let canvas: Canvas
    /// The drawing as it is within a page.
    let bytes: [UInt8]
    /// Where the marks begin, after the opening tag.
    let start: Int

    /// The drawing to stand within a page.
    package var inline: Markup {
        Markup(trusted: String(decoding: bytes, as: UTF8.self), language: .html)
    }

    /// The drawing to stand in a figure whose caption has the sentence: its title is its whole name.
    package var captioned: Markup {
        var out = SVGWriter(capacity: bytes.count + 400)
        canvas.openCaptioned(description, &out)
        out.append(bytes[start...])
        return Markup(trusted: out.text, language: .html)
    }

    /// The drawing as a file of its own: the same marks, with a ground, a title and a style sheet.
    package var standalone: Markup {
        var out = SVGWriter(capacity: bytes.count + 2600)
        canvas.openFile(description, &out)
        out.append(bytes[start...])
        return Markup(trusted: out.text, language: .xml)
    }
}

/// Draws on a canvas.
///
/// - Parameter capacity: about how many bytes the marks take.
func draw(
    on canvas: Canvas, description: String, capacity: Int, _ marks: (inout SVGWriter) -> Void
) -> Drawing {
    var out = SVGWriter(capacity: capacity + 600)
    canvas.open(description, &out)
    let start = out.bytes.count
    marks(&out)
    out.raw("</svg>")
    return Drawing(description: description, canvas: canvas, bytes: out.bytes, start: start)
}
