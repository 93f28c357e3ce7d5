extension Template {
    /// What the templates of a page write themselves, in the order in which they do: each branch, and each part once. Where
    /// they write fields there is nothing.
    package var ownText: String {
        var text: [UInt8] = []
        var known: Set<Int> = []
        program.appendOwnText(of: routine, to: &text, &known)
        return String(decoding: text, as: UTF8.self)
    }
}

extension Program {
    fileprivate func appendOwnText(of routine: Int, to text: inout [UInt8], _ known: inout Set<Int>) {
        guard known.insert(routine).inserted else { return }
        for instruction in instructions[routines[routine].range] {
            let index = Int(instruction.index)
            switch instruction.code {
            case .literal: text += literals[index..<index + Int(instruction.length)]
            case .call: appendOwnText(of: calls[index].routine, to: &text, &known)
            case .show:
                for call in shows[index].calls { appendOwnText(of: call.routine, to: &text, &known) }
            case .indentation, .write, .test, .unless, .visit: break
            }
        }
    }
}
