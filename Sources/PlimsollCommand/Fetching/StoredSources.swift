import AppHealth
import Archive
import Diagnostics
import Providers

/// What became of the sources of a fetch, in their order.
struct StoredSources: Sendable {
    /// Whether the fetch was called off.
    var isInterrupted = false
    private var results: [SourceResult?]
    private var failure: ArchiveError?

    /// Nothing is stored of so many sources.
    init(count: Int) { results = Array(repeating: nil, count: count) }

    /// Whether no other source can be stored either.
    var isOver: Bool { failure.map { !$0.mayLetOthersPass } ?? false }

    /// Adds what became of the source at a place.
    mutating func add(_ result: Result<SourceResult, ArchiveError>, at index: Int) {
        switch result {
        case .success(let stored): results[index] = stored
        case .failure(let error): failure = failure ?? error
        }
    }

    /// Every result.
    ///
    /// - Throws: the first reason why something could not be stored.
    func all() throws(ArchiveError) -> [SourceResult] {
        if let failure { throw failure }
        return results.compactMap(\.self)
    }

    /// Says what of an interrupted fetch is stored, and what is missing.
    func interruption(of jobs: [SourceJob]) -> Diagnostic {
        let missing = zip(jobs, results).filter { $0.1 == nil }
            .map { job, _ in "\(job.app.id)/\(job.source.id)" }
        let stored = jobs.count - missing.count
        let shown = missing.prefix(Self.namedSources)
        let more = missing.count > shown.count ? ["and \(missing.count - shown.count) more"] : []
        return .error(
            "fetch.interrupted",
            stored == 0
                ? "Fetch interrupted; nothing stored"
                : "Fetch interrupted; \(stored) of \(jobs.count) sources stored",
            details: shown.map { "\($0) is missing" } + more, hints: ["run it again"])
    }

    /// How many sources a diagnostic names.
    private static let namedSources = 20
}
