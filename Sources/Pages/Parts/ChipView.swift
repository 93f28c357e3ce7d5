import Formatting
package import Templates

/// A short label such as `Open`, with the word that data files and style sheets use.
package struct ChipView: TemplateModel, Hashable {
    package static let modelName = "chip"
    package var name: String
    package var text: String

    /// The label of a state or a signal.
    package init(_ name: String) {
        self.name = name
        self.text = chipText(name)
    }

    package static let fields: [Field<ChipView>] = [
        .text("name", "The word in data files, such as `velocity`, for style sheets", \.name),
        .text("text", "The label, such as `Fast-rising`", \.text),
    ]
}

/// The labels of a line of text: `Open · New`.
func lineText(_ chips: [ChipView]) -> String { chips.map(\.text).joined(separator: " · ") }

/// The label of a state of an issue or a source, or of a signal: `Fast-rising` for `velocity`.
func chipText(_ name: String) -> String {
    switch name {
    case "velocity": "Fast-rising"
    case "loaded": "Up to date"
    case "unavailable": "Not available"
    case "insufficient": "Low precision"
    default: name.sentenceCased
    }
}
