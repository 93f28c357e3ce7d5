/// What keeps a theme from multiplying itself: everything is resolved for each place that it is put into.
extension Resolver {
    /// More tags than this come only from templates that multiply each other.
    static let tagLimit = 100_000
    /// How many bytes of text the templates of a page may hold: no more than a page.
    static let textLimit = Execution.byteLimit
    /// How deep sections, blocks and partials may be in each other.
    static let depthLimit = Execution.depthLimit

    /// Counts a tag that is resolved; false from the first one on that is too much.
    mutating func admits(_ node: Node, in place: Surroundings) -> Bool {
        guard excess == nil else { return false }
        guard let offset = node.offset else { return true }
        count(1)
        if effort.tags > Resolver.tagLimit {
            stop(
                .expandsTooFar("Templates expand to more than \(Resolver.tagLimit) tags"), at: offset,
                in: place)
        } else if code.literals.count + effort.indentation > Resolver.textLimit {
            let limit = Resolver.textLimit >> 20
            stop(.expandsTooFar("Templates expand to more than \(limit) MiB"), at: offset, in: place)
        } else if effort.depth > Resolver.depthLimit {
            stop(.partialsTooDeep(limit: Resolver.depthLimit), at: offset, in: place)
        } else if Task.isCancelled {
            stop(.interrupted, at: offset, in: place)
        }
        return excess == nil
    }

    private mutating func stop(_ problem: TemplateProblem, at offset: Int, in place: Surroundings) {
        let error = place.text.error(problem, at: offset)
        excess = error
        report(error)
    }
}

/// What resolving has taken so far.
struct ResolverEffort {
    /// The tags, each as often as it was resolved, and what else takes as long.
    var tags = 0
    /// Sections, blocks and partials that are being resolved.
    var depth = 0
    /// Bytes of white space that was put before the lines of blocks.
    var indentation = 0
}

extension Node {
    /// Where its tag is; nil for text.
    fileprivate var offset: Int? {
        switch self {
        case .text, .lineStart: nil
        case .variable(let name, _), .section(let name, _, _), .partial(let name, _),
            .dynamicPartial(let name, _), .parent(let name, _, _):
            name.offset
        case .block(let block): block.id.offset
        }
    }
}
