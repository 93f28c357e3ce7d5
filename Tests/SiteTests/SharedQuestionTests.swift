import Synchronization
import Testing

@testable import Site

/// A question about many numbers has one answer, however many threads share it.
struct SharedQuestionTests {
    @Test(arguments: [1, 2, 7]) func asksAboutEachOnce(threads: Int) {
        for count in [0, 1, 2, 500] {
            let asked = Mutex<[Int]>([])
            #expect(
                isSo(ofAllBelow: count, threads: threads) { number in
                    asked.withLock { $0.append(number) }
                    return true
                })
            #expect(asked.withLock { $0.sorted() } == Array(0..<count))
        }
    }

    @Test(arguments: [1, 2, 7]) func oneCounterexampleIsEnough(threads: Int) {
        for odd in [0, 1, 250, 499] {
            #expect(!isSo(ofAllBelow: 500, threads: threads) { $0 != odd })
        }
    }
}
