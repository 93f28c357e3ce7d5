package import Markup

/// A rate in a box as small as a line of text, for the front page of a project.
package struct Badge: Hashable, Sendable {
    /// How sure the figure is: each has a look of its own, and words that say the same.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// A filled box.
        case loaded
        /// An outline of dashes: the newest attempt failed.
        case stale
        /// A thick outline: there never was a figure.
        case failed
        /// A dotted outline: the source doesn't provide it.
        case unavailable
        /// A thin outline: the sample is too small for a verdict.
        case insufficient
    }

    /// What the figure means.
    package enum Tone: Hashable, Sendable {
        case good, bad, neutral
    }

    /// What is reported, such as `crash-free users`.
    package var label: String
    /// The figure with its interval and its age.
    package var message: String
    /// How sure it is.
    package var state: State
    /// What it means.
    package var tone: Tone
    /// One sentence for those who cannot see it, and for the pointer.
    package var title: String

    /// Makes a badge.
    package init(label: String, message: String, state: State, tone: Tone, title: String) {
        self.label = label
        self.message = message
        self.state = state
        self.tone = tone
        self.title = title
    }

    /// The drawing as a file of its own, in light and dark.
    package var svg: Markup {
        let (label, message) = (displayText(label, limit: 40), displayText(message, limit: 80))
        let left = estimatedWidth(label) + 160
        let right = estimatedWidth(message) + 160
        var out = SVGWriter(capacity: 1600)
        out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"badge-title\"")
        out.coordinate(" width=\"", left + right)
        out.raw(" height=\"22\" viewBox=\"0 0 ")
        out.tenths(left + right)
        out.raw(" 22\"><title id=\"badge-title\">")
        out.escaped(displayText(title, limit: 400))
        out.raw("</title><style>")
        out.raw(standalonePalette)
        out.raw("text{font:12px var(--sans);fill:var(--ink)}.g{--tone:var(--good)}.b{--tone:var(--bad)}")
        out.raw(".n{--tone:var(--soft)}.box{fill:var(--paper);stroke:var(--soft)}.value{stroke:var(--tone)}")
        out.raw(".loaded{fill:var(--tone)}.loaded+text{fill:var(--paper)}</style><g class=\"")
        out.raw(tone == .good ? "g" : tone == .bad ? "b" : "n")
        out.raw("\"><rect class=\"box\" x=\".5\" y=\".5\" height=\"21\" rx=\"3\"")
        out.coordinate(" width=\"", left + right - 10)
        out.raw("/><rect class=\"value")
        out.raw(state == .loaded ? " loaded" : "")
        out.raw("\" fill=\"none\" y=\"1.5\" height=\"19\" rx=\"2\"")
        out.coordinate(" x=\"", left)
        out.coordinate(" width=\"", right - 15)
        out.raw(outline)
        out.raw("/><text y=\"15\" text-anchor=\"middle\"")
        out.coordinate(" x=\"", left + (right - 15) / 2)
        out.raw(">")
        out.escaped(message)
        out.raw("</text><text y=\"15\" text-anchor=\"middle\"")
        out.coordinate(" x=\"", left / 2)
        out.raw(">")
        out.escaped(label)
        out.raw("</text></g></svg>\n")
        return Markup(trusted: out.text, language: .xml)
    }

    private var outline: StaticString {
        switch state {
        case .loaded, .insufficient: ""
        case .stale: " stroke-dasharray=\"5 3\""
        case .failed: " stroke-width=\"2\""
        case .unavailable: " stroke-dasharray=\"1 2\""
        }
    }
}
