package import Markup

/// The text of a note in one of the forms in which pages show it.
///
/// The same notes are on the pages of their issue, day and release, and in the activity. Whoever makes many pages gives a
/// memory, so that each text is read once for a form; without one it is read each time, to the same bytes.
package struct NoteText: Hashable, Sendable {
    /// CommonMark; foreign text. Texts that are equal as characters may have other bytes.
    package let bytes: [UInt8]
    let form: Form

    enum Form: Hashable, Sendable {
        /// HTML without raw HTML, with its images or without.
        case html(images: Bool)
        /// The words in the Markdown of GitHub, of an entry of a list.
        case entry
        /// The words as blocks.
        case words
    }

    @TaskLocal package static var memory: (any NoteMemory)?

    /// All bytes at once: a list hashes each of them by itself, which takes longer than to look at the text.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(form)
    }
}

/// What the texts of notes became before.
package protocol NoteMemory: Sendable {
    /// What a text becomes: as it is known, else as it is made now.
    func markup(of text: NoteText, _ make: () -> Markup) -> Markup

    /// The words of a text: as they are known, else as they are made now.
    func words(of text: NoteText, _ make: () -> [Block]) -> [Block]
}

extension NoteText {
    private init(_ source: String, _ form: Form) {
        self.init(bytes: Array(source.utf8), form: form)
    }

    /// HTML with headings below those of pages.
    static func html(_ source: String, images: Bool) -> Markup {
        NoteText(source, .html(images: images)).markup {
            let options = CommonMarkOptions(highestHeading: highestHeading, anchors: false, images: images)
            return commonMarkPage(source, options: options).html
        }
    }

    /// The Markdown of an entry of a list.
    static func entry(_ source: String) -> Markup {
        NoteText(source, .entry).markup { entryMarkdown(words(source)) }
    }

    /// The words as blocks.
    static func words(_ source: String) -> [Block] {
        func make() -> [Block] { wordBlocks(ofCommonMark: source, highestHeading: highestHeading) }
        return memory.map { $0.words(of: NoteText(source, .words), make) } ?? make()
    }

    private func markup(_ make: () -> Markup) -> Markup {
        Self.memory.map { $0.markup(of: self, make) } ?? make()
    }
}

/// The level of the highest heading of a note: next below that of the note on a page.
private let highestHeading = 4
