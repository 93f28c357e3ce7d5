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
    /// Nothing could be done; the old site stands.
    case nothingDone = 4
}
