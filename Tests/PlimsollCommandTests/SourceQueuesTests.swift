import AppHealth
import Providers
import Testing
import Transport

@testable import Configuration
@testable import PlimsollCommand

/// Sources of one host and credential wait for each other, others do not.
struct SourceQueuesTests {
    private struct NoSender: Sender {
        func send(_ request: Request) async throws(TransportError) -> Response {
            throw TransportError(.closed, request.address, doing: "sending")
        }
    }

    private func job(_ place: String, account: String = "") throws -> SourceJob {
        let provider = FilesProvider(try FilesConfiguration(place), sender: NoSender())
        return SourceJob(
            app: App(id: Slug(anyText: "notes"), name: "Notes"), source: provider.source,
            trust: TrustConfiguration(), account: account, provider: .success(provider))
    }

    @Test func beginsWithSoManyOfEachHost() throws {
        var jobs = try (0..<70).map { try job("https://a.example/\($0).json") }
        jobs += try (0..<3).map { try job("https://b.example/\($0).json") }
        jobs += try (0..<65).map { try job("https://a.example/\($0).json", account: "other") }
        jobs += try (0..<5).map { try job("folder-\($0)") }
        var queues = SourceQueues(jobs)
        #expect(queues.first == Array(0..<64) + [70, 71, 72] + Array(73..<137) + [138, 139])
        #expect(queues.next(after: 5) == 64)
        #expect(queues.next(after: 64) == 65)
        #expect(queues.next(after: 70) == nil)
        #expect(queues.next(after: 80) == 137)
        #expect(queues.next(after: 81) == nil)
        #expect(queues.next(after: 138) == 140)
    }

    @Test func everySourceHasItsTurnOnce() throws {
        let jobs = try (0..<500).map { number in
            try job(number % 7 == 0 ? "folder" : "https://host-\(number % 3).example/\(number).json")
        }
        var queues = SourceQueues(jobs)
        var (running, done) = (queues.first, Set<Int>())
        while let next = running.popLast() {
            #expect(done.insert(next).inserted)
            queues.next(after: next).map { running.append($0) }
        }
        #expect(done.count == jobs.count)
    }
}
