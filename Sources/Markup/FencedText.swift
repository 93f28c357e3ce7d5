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
    /// The HTML is that of `commonMarkPage`. The CommonMark is the source itself, unless raw HTML or an address has
    /// to be left out of it: then it is written again from what remains.
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
        tree.replaceTables(of: text)
        tree.replaceForeignAddresses()
        tree.replaceFences(named: names, by: cut)
        tree.keepPlainLanguages()
        headings = anchored(tree.shiftHeadings(by: options.headingShift), options: options)
        let whole = options.anchors ? insertIDs(of: headings, in: tree.html()) : tree.html()
        html = whole.split(separator: cut, omittingEmptySubsequences: false).map {
            Markup(trusted: String($0), language: .html)
        }
        let changes = plain.replaceForeignAddresses() + plain.removeRawHTML()
        commonMark =
            changes == 0
            ? pieces(of: source, between: fences)
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
