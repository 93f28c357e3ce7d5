/// A name in a tag, in parts; no parts is the implicit iterator `.`.
struct Name: Hashable, Sendable {
    let text: String
    let parts: [String]
    /// Where the tag starts.
    let offset: Int
}

/// A part of a parsed template.
///
/// The white space at the start of a line is apart from the text, so that partials and blocks can be
/// indented again.
indirect enum Node: Sendable {
    /// Text as it is.
    case text(String)
    /// The start of a line that holds something, with its white space.
    case lineStart(String)
    /// `{{name}}` or `{{{name}}}`.
    case variable(Name, isRaw: Bool)
    /// `{{#name}}…{{/name}}` or `{{^name}}…{{/name}}`.
    case section(Name, isInverted: Bool, [Node])
    /// `{{>name}}`; the indentation when it is alone on its line.
    case partial(Name, indent: String?)
    /// `{{>*name}}`.
    case dynamicPartial(Name, indent: String?)
    /// `{{<name}}{{$block}}…{{/block}}{{/name}}`.
    case parent(Name, indent: String?, blocks: [String: Block])
    /// `{{$name}}…{{/name}}` outside a parent.
    case block(Block)
}

/// A block: the place in a layout with its default content, or the content that a page puts there.
struct Block: Sendable {
    /// What makes two blocks the same one.
    struct Identity: Hashable, Sendable {
        let path: String
        let offset: Int
    }

    let id: Identity
    let name: String
    let nodes: [Node]
    /// As a place: the white space that its lines begin with.
    let indent: String
    /// As a place: whether nothing else is on its lines.
    let takesWholeLines: Bool
    /// The line end that follows it, when it is on one line of its own.
    let newline: String?
    /// As content: the white space that its lines lose where they are put.
    let ownIndent: String
    /// As content: whether it begins with a new line.
    let startsLine: Bool
}

/// One parsed template; without nodes when it has errors.
struct ParsedTemplate: Sendable {
    let text: SourceText
    let nodes: [Node]
    let errors: [TemplateError]
}
