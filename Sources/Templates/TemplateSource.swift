package import Markup

/// The text of one template file.
package struct TemplateSource: Sendable, Hashable {
    /// Where it is, for messages: `Themes/default/templates/release.html`.
    package let path: String
    /// The name without folder and extension: `release`, `issue.row`.
    package let name: String
    /// What it writes.
    package let language: OutputLanguage
    /// The template.
    package let text: String

    /// Puts a source together; the language decides how its fields are escaped.
    package init(path: String, name: String, language: OutputLanguage, text: String) {
        self.path = path
        self.name = name
        self.language = language
        self.text = text
    }
}

/// What is looked up by name.
package enum TemplateRole: String, Sendable, Hashable {
    /// A whole page, looked up by the program.
    case page
    /// A part or a layout, looked up by tags: `{{>name}}`, `{{>*name}}`, `{{<name}}`.
    case partial
}

/// What a lookup found.
package enum TemplateLookup: Sendable {
    /// The file to take.
    case found(TemplateSource)
    /// Nothing, with the files that would have been taken.
    case missing(lookedIn: [String])
}
