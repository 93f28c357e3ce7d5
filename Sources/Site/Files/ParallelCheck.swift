import Dispatch
import Synchronization

/// Whether every number below a count satisfies a predicate. Threads take one number after the other, and stop at the
/// first that does not.
///
/// - Parameter threads: how many numbers are checked at once.
func allSatisfy(below count: Int, threads: Int, _ predicate: @Sendable (Int) -> Bool) -> Bool {
    guard threads > 1, count > 1 else { return (0..<count).allSatisfy(predicate) }
    let next = Atomic(0)
    let failed = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while !failed.load(ordering: .relaxed) {
            let number = next.add(1, ordering: .relaxed).oldValue
            if number >= count { return }
            if !predicate(number) { failed.store(true, ordering: .relaxed) }
        }
    }
    return !failed.load(ordering: .relaxed)
}
