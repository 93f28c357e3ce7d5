/// A piece of a template.
struct Token {
    enum Kind {
        /// Text without a line end.
        case text
        /// `\n` or `\r\n`.
        case newline
        /// `{{name}}`.
        case variable
        /// `{{{name}}}` or `{{&name}}`.
        case raw
        /// `{{#name}}`.
        case section
        /// `{{^name}}`.
        case inverted
        /// `{{/name}}`.
        case close
        /// `{{!…}}`.
        case comment
        /// `{{>name}}` or `{{>*name}}`.
        case partial
        /// `{{<name}}`.
        case parent
        /// `{{$name}}`.
        case block
        /// `{{=<% %>=}}`.
        case delimiters
    }

    let kind: Kind
    /// The bytes in the template, with the delimiters.
    let range: Range<Int>
    /// What is after the sigil, without white space around it.
    var name = ""
    /// Whether the name follows an asterisk.
    var isDynamic = false

    var opens: Bool { kind == .section || kind == .inverted || isParentOrBlock }
    var isParentOrBlock: Bool { kind == .parent || kind == .block }
}
