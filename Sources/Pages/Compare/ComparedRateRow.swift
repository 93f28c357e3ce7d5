import Analysis
import AppHealth
import Formatting
import Statistics
package import Templates

/// A crash-free rate of two releases over the same span, with the difference.
package struct ComparedRateRow: TemplateModel {
    package static let modelName = "compared-rate"
    package var label: String
    package var span: String
    package var difference: Figure
    package var later: Figure
    package var earlier: Figure

    package static let fields: [Field<ComparedRateRow>] = [
        .text("label", "What is counted, such as `Crash-free sessions at the same age`", \.label),
        .text("span", "Over which span, such as `days 0 to 3 of each`; empty when there is none", \.span),
        .model("difference", "The later release minus the earlier one, in percentage points", \.difference),
        .model("later", "The rate of the later release", \.later),
        .model("earlier", "The rate of the earlier release", \.earlier),
    ]
}

extension ComparedRateRow {
    /// The row of a rate as the audience of a report sees it.
    init(_ rate: ComparedRate, _ report: AppReport) {
        let name = rate.span.name
        let unit = rate.span.basis.rawValue
        func figure(_ reading: DataState<Fraction>, _ label: String) -> Figure {
            var figure = Figure(
                name.sentence, crashed: reading, of: unit, rate.window, from: rate.origin,
                for: report.audience)
            figure.explanation = figure.explanation.within(Slug(anyText: label).text)
            // The span stands once in the row.
            figure.detail =
                report.hidesCounts
                ? nil : reading.value.map { "of \(countText($0.denominator)) \(unit)" }
            return figure
        }
        self.label = name.sentence
        // The label says it of their lives.
        self.span = rate.span == .life ? "" : rate.window
        self.later = figure(rate.later, rate.names.later)
        self.earlier = figure(rate.earlier, rate.names.earlier)
        self.difference = Figure(
            "Difference of \(name)", difference: rate.difference, of: unit, rate.window, from: rate.origin,
            for: report.audience)
    }

    /// Its three numbers.
    var figures: [Figure] { [difference, later, earlier] }
}

extension String {
    /// The same words as a sentence begins.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() }
}
