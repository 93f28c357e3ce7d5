package import Analysis
import Formatting

/// How a source is at the instant of the report, as data files name it.
package enum SourceState: String, Codable, Hashable, Sendable, CaseIterable {
    case loaded, stale, failed
    case neverFetched = "never fetched"
    case ended

    package init(_ state: SourceFacts.State) {
        self =
            switch state {
            case .loaded: .loaded
            case .stale: .stale
            case .failed: .failed
            case .neverFetched: .neverFetched
            case .ended: .ended
            }
    }

    /// Whether its data are what they should be: all that it has, or all that it will ever have.
    package var isCurrent: Bool { self == .loaded || self == .ended }

    /// In a sentence, such as `1 never fetched`.
    var words: String { self == .loaded ? "up to date" : rawValue }

    /// As a label: `Up to date`.
    var label: String { words.sentenceCased }

    /// One word for style sheets.
    var className: String { self == .neverFetched ? "never" : rawValue }
}
