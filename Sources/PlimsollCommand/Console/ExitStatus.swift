import Diagnostics

/// How the program ends.
package enum ExitStatus: Int32, Sendable, Error {
    /// Done.
    case done = 0
    /// Done, with the failures shown in the site.
    case doneWithFailures = 1
    /// The words of the command or the configuration are wrong.
    case usage = 2
    /// There is no verdict.
    case unknown = 3
    /// Nothing could be done; the previous site is unchanged.
    case nothingDone = 4
}

extension ExitStatus {
    /// How a run ends whose gravest diagnostic is this: the one place that turns gravity into an exit code.
    init(_ gravity: Gravity) {
        self =
            switch gravity {
            case .remark: .done
            case .shown: .doneWithFailures
            case .nothingDone: .nothingDone
            case .usage: .usage
            }
    }
}

extension Console {
    /// Reports why nothing could be done, and says how the program ends for it.
    func stop(_ reason: Diagnostic) -> ExitStatus { stop(Diagnostics([reason])) }

    /// Reports why nothing could be done, and says how the program ends for it.
    func stop(_ reasons: Diagnostics) -> ExitStatus {
        for diagnostic in reasons.list { tell(diagnostic) }
        return ExitStatus(reasons.gravity)
    }
}
