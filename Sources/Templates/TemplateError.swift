/// What is wrong with a template.
package enum TemplateProblem: Error, Hashable, Sendable {
    /// A tag without its end; the start of the tag.
    case unclosedTag(String)
    /// Something that is not a name.
    case badName(String)
    /// Something that is not two delimiters.
    case badDelimiters(String)
    /// A section, block or parent without its closing tag.
    case unclosedSection(tag: String)
    /// A closing tag with another name than the open tag of that line.
    case mismatchedSection(found: String, open: String, line: Int)
    /// A closing tag with nothing to close.
    case unopenedSection(String)
    /// More open tags at once than one file may have.
    case nestedTooDeeply(limit: Int)
    /// A template over a limit; the headline says which.
    case tooLarge(String)
    /// A block that is filled twice in one parent.
    case duplicateBlock(String)
    /// A parent with a dynamic name.
    case dynamicParent(String)
    /// A name that no model in reach has, with those that exist, the innermost first; `path` is the dotted
    /// name around it.
    case unknownName(String, path: String?, nearest: String?, available: [String])
    /// A field in a tag that does not fit its kind.
    case wrongKind(String, kind: String, need: String, hint: String)
    /// Text in a tag for markup.
    case rawText(String)
    /// Markup in a tag for text.
    case markupEscaped(String)
    /// A page or partial that no place has.
    case missingTemplate(String, role: TemplateRole, lookedIn: [String])
    /// An asset that no place has.
    case missingAsset(String, nearest: String?, available: [String], lookedIn: [String])
    /// A partial that shows itself without going into a model or a list.
    case recursion(String)
}

/// One mistake in a template, with its place.
package struct TemplateError: Error, Hashable, Sendable {
    /// What is wrong.
    package let problem: TemplateProblem
    /// The file, as in `TemplateSource.path`.
    package let path: String
    /// Counted from 1; nil when the file itself is missing.
    package let line: Int?
    /// Counted from 1 in Unicode scalars.
    package let column: Int?
}

/// All mistakes that were found in a page's template and the partials it uses.
package struct TemplateErrors: Error, Hashable, Sendable {
    /// In the order of finding, each once; never empty.
    package let errors: [TemplateError]
}
