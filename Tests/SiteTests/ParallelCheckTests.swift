import Synchronization
import Testing

@testable import Site

/// A check of many numbers has one result, however many threads share it.
struct ParallelCheckTests {
    @Test(arguments: [1, 2, 7]) func checksEachOnce(threads: Int) {
        for count in [0, 1, 2, 500] {
            let checked = Mutex<[Int]>([])
            #expect(
                allSatisfy(below: count, threads: threads) { number in
                    checked.withLock { $0.append(number) }
                    return true
                })
            #expect(checked.withLock { $0.sorted() } == Array(0..<count))
        }
    }

    @Test(arguments: [1, 2, 7]) func oneCounterexampleIsEnough(threads: Int) {
        for odd in [0, 1, 250, 499] {
            #expect(!allSatisfy(below: 500, threads: threads) { $0 != odd })
        }
    }
}
