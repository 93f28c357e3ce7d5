import Testing

@testable import PlimsollCommand

/// How many pages are built at the same time where nothing says it: as many as '--threads' allows.
struct ThreadsTests {
    @Test(arguments: [(0, 1), (1, 1), (8, 8), (256, 256), (384, 256)])
    func whatAMachineHasIsAllowed(processors: Int, threads: Int) {
        #expect(usualThreads(of: processors) == threads)
    }
}
