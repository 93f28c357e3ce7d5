import Transport

/// What is particular to one service in how it is used: headers, what its refusals mean and end, and what a
/// person does about them.
struct ServiceProfile: Sendable {
    /// The provider's name, which begins every message and every id: `bugsink`.
    var provider: String
    /// What to do about a status, in the place of the transport's own hint.
    var hints: [Int: String] = [:]
    /// What a refusal says in the service's own form; goes before `hints`.
    var explain: @Sendable (HTTPStatusError, Response) -> RefusalExplanation = { _, _ in .init() }
    /// Header lines of every request, besides what is accepted.
    var headers: [(name: String, value: String)] = []
    /// Statuses that every further request of the run would meet too.
    var halting: Set<Int> = [401, 429]
    /// Statuses that every further request of the same group would meet too.
    var haltingGroup: Set<Int> = []
    /// Whether retries count among the requests of one fetch; where they do not, they are bounded elsewhere, so that
    /// a bad night brings what a good one does.
    var countsRetries = false
    /// The fields in which the service says what is left of its limit.
    var limitFields = RateLimitFields.usual
    /// What to do when a name fits several elements.
    var ambiguousHint = "write the slug or the id"
    /// What to do when the requests of one fetch are used up.
    var budgetHint = "fetch again later, or raise the limit"
    /// What to do when a list goes on at another origin.
    var foreignHint: String?
}

/// What a refusal says in a service's own form.
struct RefusalExplanation: Sendable {
    /// What the service says, in the place of the beginning of its answer.
    var said: [String] = []
    /// Facts that follow.
    var more: [String] = []
    /// What to do; nil leaves it to the profile.
    var hints: [String]?
}
