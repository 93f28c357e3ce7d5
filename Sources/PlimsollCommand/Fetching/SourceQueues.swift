import Providers
import Transport

/// The sources that wait until others of the same host are done: what a source holds takes memory, and a host is asked
/// no quicker by more of them at once. Sources of different hosts do not wait for each other.
struct SourceQueues {
    /// Whom sources wait for together.
    private enum Queue: Hashable {
        /// The files of this machine.
        case files
        /// A host that is asked with a credential: the limits of one credential hold up no other.
        case host(Origin?, account: String)

        init(_ job: SourceJob) {
            let provider = try? job.provider.get()
            let asked =
                provider?.terms?.origin ?? provider?.plan(for: job.app).lazy.compactMap(\.origin).first
            self = provider?.isLocal == true ? .files : .host(asked, account: job.account)
        }

        /// How many sources are fetched at once. Files are read faster than stored, and what waits takes memory; of a host
        /// there are enough to keep its few connections busy while others are decoded and stored.
        var most: Int { self == .files ? 2 : 64 }
    }

    /// The sources with which the fetch begins, in the order of the configuration.
    let first: [Int]
    private let queues: [Queue]
    private var waiting: [Queue: ArraySlice<Int>]

    init(_ jobs: [SourceJob]) {
        queues = jobs.map { Queue($0) }
        let lines = Dictionary(grouping: jobs.indices, by: { [queues] in queues[$0] })
        first = lines.flatMap { queue, line in line.prefix(queue.most) }.sorted()
        waiting = Dictionary(uniqueKeysWithValues: lines.map { ($0, $1.dropFirst($0.most)) })
    }

    /// The source that is fetched in the place of one that is done; nil when none waits for it.
    mutating func next(after done: Int) -> Int? { waiting[queues[done]]?.popFirst() }
}
