import Dispatch
import Synchronization

/// Whether something is so of every number below a count. Threads take one number after the other, and stop at the first
/// of which it is not.
///
/// - Parameter threads: how many numbers are asked about at once.
func isSo(ofAllBelow count: Int, threads: Int, _ ask: @Sendable (Int) -> Bool) -> Bool {
    guard threads > 1, count > 1 else { return (0..<count).allSatisfy(ask) }
    let next = Atomic(0)
    let failed = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while !failed.load(ordering: .relaxed) {
            let number = next.add(1, ordering: .relaxed).oldValue
            if number >= count { return }
            if !ask(number) { failed.store(true, ordering: .relaxed) }
        }
    }
    return !failed.load(ordering: .relaxed)
}
