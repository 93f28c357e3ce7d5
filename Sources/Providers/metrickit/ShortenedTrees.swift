/// The JSON text with nothing but its three innermost calls in the place of each weighted tree, where the text nests deeper
/// than so many levels.
///
/// In a tree the outermost call comes first: what is wanted of a deep one lies where no decoder follows. The text is scanned
/// and the path of each tree followed without recursion. A text that is no JSON stays as it is.
func shortenedTrees(_ bytes: [UInt8], levels: Int) -> [UInt8] {
    var nesting = JSONNesting()
    let isDeep = bytes.contains { byte in
        nesting.pass(byte)
        return nesting.depth > levels
    }
    guard isDeep, let tape = try? JSONTape(bytes, deepest: .max) else { return bytes }
    var result: [UInt8] = []
    var offset = 0
    for roots in tape.rootsOfTrees {
        let start = Int(tape.tokens[roots].start)
        // What lies in a tree that was shortened is gone.
        guard start >= offset else { continue }
        result += bytes[offset..<start]
        result += tape.text(ofChain: tape.innermostCalls(of: roots))
        offset = endOfList(at: start, in: bytes)
    }
    return result + bytes[offset...]
}

/// Where a list ends that begins at an offset.
private func endOfList(at start: Int, in bytes: [UInt8]) -> Int {
    var nesting = JSONNesting()
    for offset in start..<bytes.count {
        nesting.pass(bytes[offset])
        if nesting.depth == 0 { return offset + 1 }
    }
    return bytes.count
}

extension JSONTape {
    /// The lists with the outermost calls of weighted trees; a stack of one thread is none.
    fileprivate var rootsOfTrees: some Sequence<Int> {
        tokens.indices.lazy.filter { [self] index in
            guard tokens[index].kind == .list, index > 0 else { return false }
            let stack = Int(tokens[index].parent)
            guard tokens[stack].kind == .object, text(index - 1) == "callStackRootFrames" else {
                return false
            }
            let stacks = Int(tokens[stack].parent)
            let tree = Int(tokens[stacks].parent)
            guard tokens[stacks].kind == .list, tokens[tree].kind == .object,
                let flag = member("callStackPerThread", of: tree)
            else { return false }
            return tokens[flag].kind == .no
        }
    }

    /// The last three calls on the path with most samples, outermost first.
    fileprivate func innermostCalls(of roots: Int) -> [Int] {
        var calls: [Int] = []
        var level: Int? = roots
        while let list = level, let call = heaviestCall(of: list) {
            calls.append(call)
            if calls.count > 3 { calls.removeFirst() }
            level = member("subFrames", of: call).flatMap { tokens[$0].kind == .list ? $0 : nil }
        }
        return calls
    }

    /// The first of those with most samples.
    private func heaviestCall(of list: Int) -> Int? {
        var best: (call: Int, samples: Int)?
        var index = list + 1
        while index < Int(tokens[list].next) {
            defer { index = Int(tokens[index].next) }
            guard tokens[index].kind == .object else { continue }
            let count = member("sampleCount", of: index).flatMap {
                Lenient<Count>(from: TapeDecoder(tape: self, index: $0)).value?.value
            }
            if best.map({ $0.samples < count ?? 0 }) ?? true { best = (index, count ?? 0) }
        }
        return best?.call
    }

    /// A tree of calls of which each made the next one.
    fileprivate func text(ofChain calls: [Int]) -> [UInt8] {
        guard !calls.isEmpty else { return Array("[]".utf8) }
        let keys = ["binaryName", "binaryUUID", "offsetIntoBinaryTextSegment", "sampleCount"]
        let texts = calls.map { call in
            keys.flatMap { key in
                member(key, of: call).map { Array("\"\(key)\":".utf8) + scalar($0) + [UInt8(ascii: ",")] }
                    ?? []
            }
        }
        let open = texts.flatMap { Array("[{".utf8) + $0 + Array("\"subFrames\":".utf8) }
        return open + Array("[]".utf8) + calls.flatMap { _ in Array("}]".utf8) }
    }

    /// The text of a text or a number; of anything else, `null`.
    private func scalar(_ index: Int) -> [UInt8] {
        let token = tokens[index]
        return switch token.kind {
        case .text: [UInt8(ascii: "\"")] + bytes[token.range] + [UInt8(ascii: "\"")]
        case .number: Array(bytes[token.range])
        default: Array("null".utf8)
        }
    }
}
