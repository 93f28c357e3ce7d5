/// Parses a template; never fails, but gives all its mistakes.
func parse(_ source: TemplateSource) -> ParsedTemplate {
    let text = SourceText(source)
    guard text.bytes.count <= Parser.sizeLimit else {
        let problem = TemplateProblem.tooLarge("Template is larger than \(Parser.sizeLimit >> 20) MiB")
        return ParsedTemplate(text: text, nodes: [], errors: [text.error(problem, at: 0)])
    }
    let scanner = Scanner(text)
    let pairs = TagPairs(scanner.tokens, in: text)
    guard scanner.errors.isEmpty, pairs.errors.isEmpty else {
        return ParsedTemplate(text: text, nodes: [], errors: scanner.errors + pairs.errors)
    }
    var parser = Parser(text: text, tokens: scanner.tokens, pairs: pairs)
    parser.run()
    return ParsedTemplate(text: text, nodes: parser.errors.isEmpty ? parser.nodes : [], errors: parser.errors)
}

/// Builds the tree from lines of tokens.
private struct Parser {
    static let sizeLimit = 4 << 20
    /// How many parts a dotted name may have.
    static let partLimit = 20

    let text: SourceText
    let tokens: [Token]
    let pairs: TagPairs
    var errors: [TemplateError] = []
    /// The nodes of the template, then those of each open tag.
    private var open: [[Node]] = [[]]
    private var lineOfToken: [Int] = []
    private var lines: [Line] = []
    /// The blocks that were given to each open parent.
    private var arguments: [Int: [String: Block]] = [:]

    var nodes: [Node] { open[0] }

    init(text: SourceText, tokens: [Token], pairs: TagPairs) {
        self.text = text
        self.tokens = tokens
        self.pairs = pairs
        lines = LineReader(text: text, tokens: tokens, pairs: pairs).lines()
        lineOfToken = [Int](repeating: 0, count: tokens.count)
        for (number, line) in lines.enumerated() {
            for index in line.tokens { lineOfToken[index] = number }
        }
    }

    mutating func run() {
        for line in lines {
            switch line.kind {
            case .blank: appendContent(line, startsLine: false)
            case .content: appendContent(line, startsLine: true)
            case .standalone, .inheritance, .block: appendTags(line)
            }
        }
    }

    /// A line that is printed, with its line end.
    private mutating func appendContent(_ line: Line, startsLine: Bool) {
        let startsWithParent = line.first.map(isStandaloneParent) ?? false
        var rest = line.tokens
        if startsLine, !startsWithParent, !isInsideParent(line.tokens.lowerBound) {
            append(.lineStart(line.indent))
            if let first = rest.first, !line.indent.isEmpty {
                let range = tokens[first].range.dropFirst(line.indent.utf8.count)
                if !range.isEmpty { append(.text(text.text(range))) }
                rest = rest.dropFirst()
            }
        }
        for index in rest where !(startsWithParent && index < line.first ?? 0) { append(token: index) }
        let endsWithParent = line.last.flatMap { pairs.opener[$0] }.map(isStandaloneParent) ?? false
        if let newline = line.newline, !endsWithParent { append(token: newline) }
    }

    /// A line that is not printed, only its tags; in a block of one line its content too.
    private mutating func appendTags(_ line: Line) {
        guard let first = line.first, let last = line.last else { return }
        for index in first...last where line.kind == .block || tokens[index].kind != .text {
            append(token: index)
        }
    }

    private mutating func append(token index: Int) {
        let token = tokens[index]
        switch token.kind {
        case .text, .newline: append(.text(text.text(token.range)))
        case .variable, .raw: append(.variable(name(of: token), isRaw: token.kind == .raw))
        case .section, .inverted, .parent, .block: open.append([])
        case .close: close(index)
        case .partial: appendPartial(index)
        case .comment, .delimiters: break
        }
    }

    /// Adds to the innermost open tag; what is directly inside a parent is dropped when it closes.
    private mutating func append(_ node: Node) {
        open[open.count - 1].append(node)
    }

    private mutating func appendPartial(_ index: Int) {
        let token = tokens[index]
        let line = lines[lineOfToken[index]]
        let indent = line.kind == .standalone ? line.indent : nil
        let name = name(of: token)
        append(token.isDynamic ? .dynamicPartial(name, indent: indent) : .partial(name, indent: indent))
    }

    private mutating func close(_ index: Int) {
        guard let opening = pairs.opener[index], let nodes = open.popLast() else { return }
        let token = tokens[opening]
        switch token.kind {
        case .section: append(.section(name(of: token), isInverted: false, nodes))
        case .inverted: append(.section(name(of: token), isInverted: true, nodes))
        case .parent: appendParent(opening)
        default: append(block(opening, index, nodes), opening)
        }
    }

    private mutating func appendParent(_ opening: Int) {
        let name = name(of: tokens[opening])
        if tokens[opening].isDynamic {
            errors.append(text.error(.dynamicParent(name.text), at: name.offset))
        }
        let indent = isStandaloneParent(opening) ? lines[lineOfToken[opening]].indent : nil
        let blocks = arguments.removeValue(forKey: opening) ?? [:]
        append(.parent(name, indent: indent, blocks: blocks))
    }

    /// A block inside a parent is kept for it; elsewhere it is a node.
    private mutating func append(_ block: Block, _ opening: Int) {
        guard let parent = pairs.around[opening], tokens[parent].kind == .parent else {
            return append(.block(block))
        }
        if arguments[parent, default: [:]].updateValue(block, forKey: block.name) != nil {
            errors.append(text.error(.duplicateBlock(block.name), at: block.id.offset))
        }
    }

    private mutating func block(_ opening: Int, _ closing: Int, _ nodes: [Node]) -> Block {
        let (first, last) = (lines[lineOfToken[opening]], lines[lineOfToken[closing]])
        let startsLine = first.kind == .inheritance
        let isOneLine = first.kind == .block && first.first == opening
        let own = startsLine ? firstIndent(of: nodes) : nil
        return Block(
            id: .init(path: text.source.path, offset: tokens[opening].range.lowerBound),
            name: name(of: tokens[opening]).text, nodes: nodes,
            indent: isOneLine ? first.indent : startsLine ? own ?? first.indent : "",
            takesWholeLines: isOneLine || (startsLine && last.kind == .inheritance),
            newline: isOneLine ? first.newline.map { text.text(tokens[$0].range) } ?? "" : nil,
            ownIndent: own ?? "", startsLine: startsLine)
    }

    private mutating func name(of token: Token) -> Name {
        let offset = token.range.lowerBound
        if token.name == "." { return Name(text: ".", parts: [], offset: offset) }
        var parts = token.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let mayStartWithDot = token.isDynamic && parts.count == 2 && parts[0].isEmpty
        let isValid = mayStartWithDot ? !parts[1].isEmpty : !parts.contains("")
        if !isValid || parts.count > Parser.partLimit || token.name.utf8.contains(where: isWhite) {
            let excerpt = String(token.name.prefix(60))
            if errors.count < SourceText.errorLimit {
                errors.append(text.error(.badName(excerpt), at: offset))
            }
            parts = ["?"]
        }
        return Name(text: token.name, parts: parts, offset: offset)
    }

    /// Whether nothing but white space is before the parent and after its closing tag.
    private func isStandaloneParent(_ opening: Int) -> Bool {
        guard tokens[opening].kind == .parent, let closing = pairs.closer[opening] else { return false }
        return lines[lineOfToken[opening]].first == opening && lines[lineOfToken[closing]].last == closing
    }

    private func isInsideParent(_ index: Int) -> Bool {
        pairs.around[index].map { tokens[$0].kind == .parent } ?? false
    }
}

/// The white space before the first thing in the nodes, when that starts a line.
private func firstIndent(of nodes: [Node]) -> String? {
    for node in nodes {
        switch node {
        case .lineStart(let indent): return indent
        case .partial(_, let indent), .dynamicPartial(_, let indent), .parent(_, let indent, _):
            return indent
        case .block(let block): return block.indent
        case .section(_, _, let inside):
            if let indent = firstIndent(of: inside) { return indent }
        case .text(let text):
            if !text.allSatisfy(\.isWhitespace) { return nil }
        case .variable: return nil
        }
    }
    return nil
}

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

/// The text in nodes, with a space where tags are.
func literalText(of nodes: [Node]) -> String {
    nodes.map { node in
        switch node {
        case .text(let text), .lineStart(let text): text
        case .variable, .partial, .dynamicPartial: " "
        case .section(_, _, let inside): " " + literalText(of: inside) + " "
        case .parent(_, _, let blocks):
            blocks.sorted { $0.key < $1.key }.map { literalText(of: $0.value.nodes) }.joined(separator: " ")
        case .block(let block): " " + literalText(of: block.nodes) + " "
        }
    }.joined()
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
