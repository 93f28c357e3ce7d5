import Synchronization

/// Collects, while one answer is decoded, what was left out of it and what was cut.
///
/// It rides in the decoder's `userInfo`, so that a list deep inside can report without its owners knowing.
final class LossLog: Sendable {
    /// What one part lost.
    enum Entry: Sendable {
        /// An element was left out.
        case element(DecodingError)
        /// A text was cut to so many scalars.
        case cut(path: String, limit: Int)
    }

    static let key = CodingUserInfoKey(rawValue: "losses")

    private struct State {
        var kept: [Entry] = []
        var count = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A log that keeps so many entries and counts the others.
    init(limit: Int) {
        self.limit = limit
    }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.count += 1
            if state.kept.count < limit { state.kept.append(entry) }
        }
    }

    /// What was kept, and how many were not.
    var contents: (kept: [Entry], leftOut: Int) {
        state.withLock { ($0.kept, $0.count - $0.kept.count) }
    }
}

extension Decoder {
    /// The log of the answer that is being decoded, when it keeps one.
    var losses: LossLog? {
        LossLog.key.flatMap { userInfo[$0] as? LossLog }
    }
}
