import Transport

/// What one service is called and what a person does about its refusals.
struct ServiceWords: Sendable {
    /// The provider's name, which begins every message and every id: `bugsink`.
    var provider: String
    /// What to do about a status, in the place of the transport's own hint.
    var hints: [Int: String] = [:]
    /// What to do about an answer whose status alone does not tell; goes before `hints`.
    var hint: @Sendable (HTTPStatusError) -> String? = { _ in nil }
    /// Header lines of every request, besides what is accepted.
    var headers: [(name: String, value: String)] = []
    /// Statuses that every further request of the run would meet too.
    var halting: Set<Int> = [401, 429]
    /// What to do when the requests of one fetch are used up.
    var budgetHint = "fetch again later, or raise the limit"
    /// What to do when a list goes on at another origin.
    var foreignHint: String?
}
