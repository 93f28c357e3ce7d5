import Markup
import Synchronization

/// What the texts of notes become in the languages of pages.
///
/// The same notes are shown on the pages of their issue, day and release, and in the activity; each text is read once
/// for all of them. What comes out depends on the text alone, so that what is dropped costs time and changes no byte.
final class NoteTexts: Sendable {
    static let shared = NoteTexts()

    private let memory = Mutex(Known())

    /// HTML without raw HTML, with headings below those of pages.
    func html(_ source: String, images: Bool) -> Markup {
        known(source, images ? \.html : \.imageless) {
            commonMarkPage(source, options: .init(headingShift: headingShift, anchors: false, images: images))
                .html
        }
    }

    /// The words in the Markdown of GitHub, of an entry of a list.
    func entry(_ source: String) -> Markup {
        known(source, \.entry) { entryMarkdown(blocks(source)) }
    }

    /// The words as blocks.
    func blocks(_ source: String) -> [Block] {
        known(source, \.blocks) { wordBlocks(ofCommonMark: source, headingShift: headingShift) }
    }

    private func known<Value: Sendable>(
        _ source: String, _ place: WritableKeyPath<Texts, Value?>, _ make: () -> Value
    ) -> Value {
        if let value = memory.withLock({ $0.texts[source]?[keyPath: place] }) { return value }
        let value = make()
        memory.withLock { $0.keep(value, at: place, of: source) }
        return value
    }

    /// What is known of one text.
    private struct Texts {
        var html: Markup?
        var imageless: Markup?
        var entry: Markup?
        var blocks: [Block]?
    }

    private struct Known {
        var texts: [String: Texts] = [:]
        /// Of all texts.
        var bytes = 0

        mutating func keep<Value>(_ value: Value, at place: WritableKeyPath<Texts, Value?>, of source: String)
        {
            if texts[source] == nil {
                let size = source.utf8.count
                guard size <= limit / 8 else { return }
                if bytes + size > limit { self = Known() }
                bytes += size
            }
            texts[source, default: Texts()][keyPath: place] = value
        }
    }
}

/// Notes are below the headings of pages.
private let headingShift = 3

/// Bytes of texts that are known at once: about those of two apps with a note for each of a thousand issues.
private let limit = 1 << 19
