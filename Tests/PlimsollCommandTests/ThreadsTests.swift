import Testing

@testable import PlimsollCommand

/// How many pages are built at the same time where nothing says it.
struct ThreadsTests {
    @Test(arguments: [(0, 1), (1, 1), (8, 8), (256, 256), (384, 256)])
    func whatAMachineHasIsAllowed(processors: Int, threads: Int) throws {
        var options = try BuildOptions.parse([])
        options.threads = usualThreads(of: processors)
        #expect(options.threads == threads)
        try options.validate()
    }
}
