/// One rule of the style sheet of charts.
package struct StyleRule: Hashable, Sendable {
    /// The selectors, in the order of the sheet.
    package let selectors: [String]
    /// The declarations; colors are the tokens of a theme.
    package let declarations: [String]

    init(_ selectors: String..., is declarations: String...) {
        self.selectors = selectors
        self.declarations = declarations
        self.compactText =
            selectors.joined(separator: ",") + "{"
            + declarations.map { $0.replacing(": ", with: ":") }.joined(separator: ";") + "}"
    }

    /// The rule on one line, as it is in a theme's style sheet.
    package var text: String {
        "\(selectors.joined(separator: ", ")) {\(declarations.joined(separator: "; "))}"
    }

    /// The rule without spaces that mean nothing, as it is in a file of its own.
    let compactText: String
}

/// The colors of all marks, by class. The default theme and drawings that are files of their own share them:
/// `Themes/default/assets/site.css` repeats them between two comments, and a test holds both equal.
package let chartRules: [StyleRule] = [
    StyleRule(".chart", is: "color: var(--soft)", "font-family: var(--sans)"),
    StyleRule(".chart text", is: "font-variant-numeric: tabular-nums", "fill-opacity: 1"),
    StyleRule(".chart-surface", is: "fill: var(--paper)"),
    StyleRule(".chart-title", ".chart-name", is: "fill: var(--ink)"),
    StyleRule(".chart-halo", is: "fill: var(--ink)", "stroke: var(--paper)", "paint-order: stroke"),
    StyleRule(".chart-line", ".chart-dot", is: "stroke: var(--accent)"),
    StyleRule(
        ".chart-line", ".chart-comparison", is: "stroke-linejoin: round", "stroke-linecap: round"),
    StyleRule(".chart-end", is: "fill: var(--accent)", "stroke: var(--accent)"),
    StyleRule(".chart-band", ".chart-bar", ".chart-area", ".chart-value", is: "fill: var(--accent)"),
    StyleRule(".chart-value", is: "font-weight: 600"),
    StyleRule(".chart-comparison", is: "stroke: var(--soft)"),
    StyleRule(".chart-comparison-label", is: "fill: var(--soft)"),
    StyleRule(".chart-target", is: "stroke: var(--good)"),
    StyleRule(".chart-target-label", ".chart-recovery", ".chart-meets", is: "fill: var(--good)"),
    StyleRule(".chart-critical", ".chart-failed", ".chart-rise", is: "stroke: var(--bad)"),
    StyleRule(
        ".chart-critical-label", ".chart-alert", ".chart-misses", ".chart-severe", ".chart-rise-label",
        is: "fill: var(--bad)"),
    StyleRule(".chart-warning", ".chart-critical-end", is: "fill: var(--bad)", "stroke: var(--bad)"),
    StyleRule(".chart-seam", ".chart-knockout", is: "stroke: var(--paper)"),
]

/// The tokens of the default theme, in light and in dark, for a drawing that is a file of its own.
package let standalonePalette: StaticString = """
    svg{--sans:system-ui,sans-serif;--soft:#5b6368;\
    --ink:#1a262e;--paper:#fbfaf6;--accent:#0b5872;--good:#1a6643;--bad:#a22f1b}\
    @media(prefers-color-scheme:dark){svg{--soft:#a5acaf;\
    --ink:#e3e8e9;--paper:#12191e;--accent:#86cbe6;--good:#86d0a6;--bad:#ff9f88}}\
    .sparkline{color:var(--soft)}
    """
