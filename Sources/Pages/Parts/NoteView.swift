import Analysis
import AppHealth
import Formatting
import Markup
package import Templates

/// A note of the team.
package struct NoteView: TemplateModel, Hashable {
    package static let modelName = "note"
    package var author: String
    package var written: String
    package var subject: String
    package var stem: String?
    /// CommonMark; foreign text.
    package var source: String
    /// Whether its images are loaded; a file that is alone loads none.
    var showsImages = true

    package static let fields: [Field<NoteView>] = [
        .text("author", "Who wrote it; `Somebody` when unknown", \.author),
        .text("written", "When, such as `Tue, Oct 13, 2026, 09:12 UTC`", \.written),
        .text("subject", "What it is about, such as `Atomic.swift line 54`", \.subject),
        .optionalUrl("stem", "The address of what it is about, without ending", \.stem),
        .markup(
            "body",
            "What it says: HTML without raw HTML in HTML; in Markdown the words, with lists, tables, quotes and code, of an entry of a list"
        ) { note, language in
            switch language {
            case .html, .xml: NoteText.html(note.source, images: note.showsImages)
            case .markdown: NoteText.entry(note.source)
            case .plain: Markup(escaping: plainText(fromCommonMark: note.source), language: language)
            }
        },
    ]
}

extension NoteView {
    /// What it says, in words.
    var blocks: [Block] { NoteText.words(source) }

    /// A note as a page shows it.
    ///
    /// - Parameters:
    ///   - issue: the issue that it is about, when it is about one that has a page.
    ///   - named: that issue as its source names it; one of a source whose issues are not shown has no page.
    init(_ note: Note, about issue: Issue?, named: Issue? = nil, in scope: AppScope) {
        let (subject, stem) = noteSubject(note, issue, named: named, scope)
        let isAlone = if case .within = scope.links { true } else { false }
        self.init(
            author: note.author.isEmpty ? "Somebody" : note.author,
            written: note.day?.compactText ?? note.at.proseText, subject: subject, stem: stem,
            source: note.linkedText(by: scope.links), showsImages: !isAlone)
    }

    /// Notes as a page shows them, in their order.
    ///
    /// - Parameter issue: the issue with an id, when it is known.
    static func views(
        _ notes: some Sequence<Note>, in scope: AppScope, issue: (String) -> Issue? = { _ in nil }
    ) -> [NoteView] {
        notes.map { note in
            let id: String? = if case .issue(let id) = note.subject { id } else { nil }
            return NoteView(note, about: id.flatMap(issue), in: scope)
        }
    }
}

extension Note {
    /// Its text with links that lead where they should from the page that shows it.
    fileprivate func linkedText(by links: Links) -> String {
        guard let targets else { return text }
        return rewritingLinks(inCommonMark: text) { link in
            targets[String(link)].map { links.address(ofFile: $0) ?? noAddress }
        }
    }
}

/// An address that is dropped, so that the words of the link stay.
private let noAddress = "none:"

private func noteSubject(
    _ note: Note, _ issue: Issue?, named: Issue?, _ scope: AppScope
) -> (String, String?) {
    switch note.subject {
    case .app: (scope.app.name, scope.links.stem(to: .app(scope.app.id)))
    case .release(let label): ("release \(label)", scope.stem(toRelease: label))
    case .issue(let id):
        if let issue {
            (issue.label, scope.stem(toIssue: issue.id))
        } else {
            (named?.label ?? "issue \(id)", nil)
        }
    case .day(let date): (date.compactText, scope.stem(toDay: date))
    }
}

extension AppScope {
    /// The page of what a note is about.
    func path(of note: Note, _ issue: Issue?) -> SitePath {
        switch note.subject {
        case .release(let label) where facts.listedReleases.contains(label): .release(label, of: app.id)
        case .day(let date) where facts.listedDays.contains(date): .day(date, of: app.id)
        case .app, .release, .day, .issue: issue.map { .issue($0.id, of: app.id) } ?? .app(app.id)
        }
    }
}
