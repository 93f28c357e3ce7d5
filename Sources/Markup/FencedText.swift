/// A fenced code block whose first word after the fence is a name that something is drawn for.
package struct Fence: Sendable, Hashable {
    /// The first word after the fence.
    package let name: String
    /// What is between the fences.
    package let body: String
    /// The lines of the text from fence to fence, counted from 1.
    package let lines: ClosedRange<Int>
    /// Whether it is in no list and no quotation.
    package let isOutermost: Bool
}

/// The fenced code blocks of these names, in order.
package func fences(inCommonMark text: String, named names: Set<String>) -> [Fence] {
    CommonMarkTree(parsing: text)?.fences(named: names) ?? []
}

/// A CommonMark text cut where its fences are, with its headings.
package struct FencedText: Sendable, Hashable {
    /// The text before, between and after the outermost fences, as HTML: one piece more than there are fences.
    package let html: [Markup]
    /// The same pieces as CommonMark.
    package let commonMark: [Markup]
    /// The headings, in order.
    package let headings: [Heading]

    /// Cuts a text; links, anchors and lists stay what they are in the whole.
    ///
    /// The HTML is that of `commonMarkPage`. The CommonMark is the source itself, with the end of a fence that lacks
    /// it, unless raw HTML or an address has to be removed or a heading has another level: then it is written again
    /// from what remains.
    ///
    /// - Parameter markdown: the text for the CommonMark, when its links lead elsewhere than those of the HTML; it
    ///   has the same lines otherwise.
    package init(
        _ text: String, markdown: String? = nil, fences names: Set<String>,
        options: CommonMarkOptions = .init()
    ) {
        let source = markdown ?? text
        guard let tree = CommonMarkTree(parsing: text), let plain = CommonMarkTree(parsing: source) else {
            (html, commonMark, headings) = ([], [], [])
            return
        }
        // Raw HTML never leaves the parser, so no text can hold this comment.
        let cut = "<!--cut-->"
        let fences = tree.fences(named: names).filter(\.isOutermost)
        tree.replaceTables(of: text, in: .html)
        tree.replaceForeignAddresses()
        tree.replaceFences(named: names, by: cut)
        tree.keepPlainLanguages()
        headings = anchored(tree.shiftHeadings(by: options.headingShift), options: options)
        let whole = options.anchors ? insertIDs(of: headings, in: tree.html()) : tree.html()
        html = whole.split(separator: cut, omittingEmptySubsequences: false).map {
            Markup(trusted: String($0), language: .html)
        }
        let open = plain.openBlock(of: source)
        plain.replaceTables(of: source, in: .markdown)
        let shifted = options.headingShift == 0 ? [] : plain.shiftHeadings(by: options.headingShift)
        let changes = plain.replaceForeignAddresses() + plain.removeRawHTML() + shifted.count
        commonMark =
            changes == 0
            ? pieces(of: withEnd(of: open, source, unlessNamed: names), between: fences)
            : pieces(of: plain, cuttingAt: names, unlike: source)
    }
}

/// The lines of a text that belong to no fence.
private func pieces(of text: String, between fences: [Fence]) -> [Markup] {
    let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
    var start = 0
    var result: [Markup] = []
    func add(upTo end: Int) {
        let kept = lines[min(start, lines.count)..<min(max(start, end), lines.count)].joined(separator: [0x0A]
        )
        result.append(piece(String(decoding: Array(kept), as: UTF8.self)))
    }
    for fence in fences {
        add(upTo: fence.lines.lowerBound - 1)
        start = fence.lines.upperBound
    }
    add(upTo: lines.count)
    return result
}

/// A tree as CommonMark, cut at its fences by a comment that the text does not hold.
private func pieces(
    of tree: borrowing CommonMarkTree, cuttingAt names: Set<String>, unlike text: String
) -> [Markup] {
    var number = 0
    while text.contains("<!--cut-\(number)-->") { number += 1 }
    let cut = "<!--cut-\(number)-->"
    tree.replaceFences(named: names, by: cut)
    return tree.commonMark().split(separator: cut, omittingEmptySubsequences: false).map { piece($0) }
}

/// A piece of CommonMark without empty lines around it.
private func piece(_ text: some StringProtocol) -> Markup {
    let bytes = Array(text.utf8).drop { $0 == 0x0A }.reversed().drop { $0 == 0x0A }.reversed()
    return Markup(trusted: String(decoding: Array(bytes), as: UTF8.self), language: .markdown)
}

/// Text that is already written in an output language, such as a rendered note or a chart's SVG.
package struct Markup: Sendable, Hashable {
    /// The language the text is written in.
    package let language: OutputLanguage
    /// The text, printed as it is where its language fits.
    package let text: String

    /// Declares text to be well-formed and safe in a language.
    ///
    /// This is the only door past escaping: use it for text that your own code wrote tag by tag, with every
    /// foreign string escaped by a `ByteWriter`; never for text that came from outside.
    package init(trusted text: String, language: OutputLanguage) {
        self.text = text
        self.language = language
    }

    /// Text escaped for a language.
    package init(escaping text: String, language: OutputLanguage) {
        var writer = ByteWriter()
        writer.append(text, escapedFor: language)
        self.init(trusted: writer.text, language: language)
    }

    /// Whether nothing would be printed.
    package var isEmpty: Bool { text.isEmpty }
}

/// The language that a file is written in; it decides how text is escaped.
package enum OutputLanguage: String, Sendable, CaseIterable {
    /// HTML, in text and in quoted attributes.
    case html
    /// CommonMark and GitHub Flavored Markdown.
    case markdown
    /// XML 1.0: feeds, sitemaps and SVG.
    case xml
    /// Text for mail, logs and terminals.
    case plain

    /// The language of files with this extension (without the dot), or nil when it is not one of ours.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "html": self = .html
        case "md": self = .markdown
        case "xml", "svg": self = .xml
        case "txt": self = .plain
        default: return nil
        }
    }

    /// Whether markup in `other` may stand in a file of this language as it is.
    ///
    /// SVG is XML and may stand in HTML. Everything else must be escaped as text.
    package func accepts(_ other: OutputLanguage) -> Bool {
        switch (self, other) {
        case (.html, .html), (.html, .xml), (.xml, .xml), (.markdown, .markdown), (.plain, .plain): true
        default: false
        }
    }
}
