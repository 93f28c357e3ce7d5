import Markup
import Pages
import Synchronization

/// What the notes of an app became on its pages so far, up to about a megabyte of their texts: those of a thousand notes
/// with a few paragraphs each.
final class KnownNotes: NoteMemory {
    private let known = Mutex(Known())

    func markup(of text: NoteText, _ make: () -> Markup) -> Markup {
        if let markup = known.withLock({ $0.markup[text] }) { return markup }
        let markup = make()
        known.withLock { if $0.takeRoom(for: text) { $0.markup[text] = markup } }
        return markup
    }

    func words(of text: NoteText, _ make: () -> [Block]) -> [Block] {
        if let words = known.withLock({ $0.words[text] }) { return words }
        let words = make()
        known.withLock { if $0.takeRoom(for: text) { $0.words[text] = words } }
        return words
    }

    private struct Known {
        var markup: [NoteText: Markup] = [:]
        var words: [NoteText: [Block]] = [:]
        private var room = 1 << 20

        /// Takes the room for a text, where there is enough.
        mutating func takeRoom(for text: NoteText) -> Bool {
            guard text.bytes.count <= room else { return false }
            room -= text.bytes.count
            return true
        }
    }
}
