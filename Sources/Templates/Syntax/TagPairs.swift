/// Which tags open and close what.
struct TagPairs {
    /// The closing tag of each opening one.
    private(set) var closer: [Int: Int] = [:]
    /// The opening tag of each closing one.
    private(set) var opener: [Int: Int] = [:]
    /// The innermost open tag around each token.
    private(set) var around: [Int?] = []
    private(set) var errors: [TemplateError] = []

    /// How deep tags may be nested in one file.
    static let depthLimit = 100

    /// Pairs the tags; stops at the first tag that is nested too deeply and after a hundred mistakes.
    init(_ tokens: [Token], in text: SourceText) {
        var stack: [Int] = []
        for (index, token) in tokens.enumerated() {
            if token.kind == .close { close(index, tokens, &stack, text) }
            if errors.count >= SourceText.errorLimit { return }
            around.append(stack.last)
            guard token.opens else { continue }
            stack.append(index)
            if stack.count == TagPairs.depthLimit + 1 {
                let problem = TemplateProblem.nestedTooDeeply(limit: TagPairs.depthLimit)
                errors.append(text.error(problem, at: token.range.lowerBound))
                return
            }
        }
        for index in stack {
            let tag = text.text(tokens[index].range)
            errors.append(text.error(.unclosedSection(tag: tag), at: tokens[index].range.lowerBound))
        }
    }

    /// Pairs a closing tag; a wrong one closes the tags inside the one it names.
    private mutating func close(_ index: Int, _ tokens: [Token], _ stack: inout [Int], _ text: SourceText) {
        let token = tokens[index]
        let (tag, offset) = (text.text(token.range), token.range.lowerBound)
        guard let last = stack.last else {
            errors.append(text.error(.unopenedSection(tag), at: offset))
            return
        }
        if tokens[last].name != token.name {
            let problem = TemplateProblem.mismatchedSection(
                found: tag, open: text.text(tokens[last].range),
                line: text.line(at: tokens[last].range.lowerBound))
            errors.append(text.error(problem, at: offset))
            guard let match = stack.lastIndex(where: { tokens[$0].name == token.name }) else { return }
            stack.removeSubrange((match + 1)...)
        }
        let opening = stack.removeLast()
        closer[opening] = index
        opener[index] = opening
    }
}
