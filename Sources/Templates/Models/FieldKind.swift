/// What a field holds, which decides the tags it may stand in.
package enum FieldKind: String, Sendable, CaseIterable {
    /// Text: `{{name}}`; as a section it is shown when not empty.
    case text
    /// Text or nothing: `{{name}}`; as a section it is shown when there is some.
    case optionalText = "optional text"
    /// A whole number: `{{name}}`.
    case number
    /// Yes or no: only as a section.
    case flag
    /// Markup in the template's language: `{{{name}}}`.
    case markup
    /// Markup or nothing: `{{{name}}}`, or a section.
    case optionalMarkup = "optional markup"
    /// An address: `{{name}}`; printed as `#` when its scheme is not allowed.
    case url
    /// An address or nothing: `{{name}}`, or a section.
    case optionalURL = "optional url"
    /// Another model: a section, a dotted name, or `{{>*name}}`.
    case model
    /// Another model or nothing.
    case optional = "optional model"
    /// Models: a section, shown once for each.
    case list
    /// Texts: a section, shown once for each, with `{{.}}`.
    case texts
    /// One of several models: `{{>*name}}`.
    case view

    /// Whether `{{name}}` prints it.
    var isPrintable: Bool { isMarkup || [.text, .optionalText, .number, .url, .optionalURL].contains(self) }

    /// Whether it is printed only by `{{{name}}}`.
    var isMarkup: Bool { self == .markup || self == .optionalMarkup }

    /// Whether `{{#name}}` may stand on it.
    var isSection: Bool { self != .number && self != .view }

    /// Whether a dotted name may go through it.
    var isPath: Bool { self == .model || self == .optional }

    /// Whether `{{>*name}}` may show it.
    var isShowable: Bool { self == .model || self == .optional || self == .view }
}
