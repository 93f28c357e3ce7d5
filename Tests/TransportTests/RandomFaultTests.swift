import LoopbackServer
import Synchronization
import Testing

@testable import Transport

/// A service whose every answer fails with a probability, decided by a seed, the address and how often the
/// address was asked before: the order in which requests come changes nothing.
private final class FlakyService: Sendable {
    let probability: Double
    let seed: UInt64
    private let asked = Mutex<[String: UInt64]>([:])

    init(probability: Double, seed: UInt64) {
        self.probability = probability
        self.seed = seed
    }

    static func body(of target: String) -> String {
        "the body of \(target), \(String(repeating: "x", count: 300))"
    }

    func script(_ arrival: FaultServer.Arrival) -> [FaultServer.Step] {
        let turn = asked.withLock { asked in
            asked[arrival.target, default: 0] += 1
            return asked[arrival.target, default: 0]
        }
        let place = fowlerNollVo(Array(arrival.target.utf8))
        var random = SplitMix(state: seed ^ place &+ turn &* 0x9E37_79B9_7F4A_7C15)
        let isFaulty = Double(random.next() >> 11) < probability * 0x1p53
        return isFaulty ? fault(arrival.target, random.next() % 7) : good(arrival.target)
    }

    private func good(_ target: String) -> [FaultServer.Step] {
        let packed = gzipped(Array(Self.body(of: target).utf8))
        return [head(200, "Content-Encoding: gzip", "Content-Length: \(packed.count)"), .send(packed)]
    }

    private func fault(_ target: String, _ number: UInt64) -> [FaultServer.Step] {
        let packed = gzipped(Array(Self.body(of: target).utf8))
        let cut = packed.dropLast(1 + Int(place(target) % 300))
        switch number {
        case 0: return [.reset]
        case 1: return []
        case 2: return [head(500, "Content-Length: 0")]
        case 3: return [head(429, "Content-Length: 0", "Retry-After: 1")]
        case 4:
            return [
                head(200, "Content-Length: \(packed.count)", "Content-Encoding: gzip"), .send(Array(cut)),
            ]
        case 5:
            return [head(200, "Content-Length: \(cut.count)", "Content-Encoding: gzip"), .send(Array(cut))]
        default: return [head(200, "Content-Length: 900"), .text("part"), .reset]
        }
    }

    private func place(_ target: String) -> UInt64 { fowlerNollVo(Array(target.utf8)) }

    private func head(_ status: Int, _ lines: String...) -> FaultServer.Step {
        .text(
            (["HTTP/1.1 \(status) Stub", "Connection: close"] + lines).joined(separator: "\r\n") + "\r\n\r\n")
    }
}

/// SplitMix64 (G. Steele and others, OOPSLA 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

struct RandomFaultTests {
    private static let count = 100

    private func run(probability: Double, seed: UInt64) async throws -> [Result<String, TransportError>] {
        let service = FlakyService(probability: probability, seed: seed)
        let server = try FaultServer.start { service.script($0) }
        var policy = RetryPolicy()
        policy.attempts = probability < 1 ? 15 : 3
        let client = RetryingClient(
            Client.make { $0.transfersPerHost = 8 }, policy: policy,
            pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        return try await withThrowingTaskGroup(of: (Int, Result<String, TransportError>).self) { group in
            for number in 0..<Self.count {
                let request = try Request.make("\(server.origin)/\(number)?token=s3cr3t")
                group.addTask {
                    do throws(TransportError) {
                        let response = try await client.send(request)
                        return (number, .success("\(response.status) \(response.text)"))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            return try await group.reduce(into: [(Int, Result<String, TransportError>)]()) { $0.append($1) }
                .sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test(arguments: [(0.0, 1), (0.05, 2), (0.1, 3), (0.2, 4), (0.3, 5), (0.3, 6)] as [(Double, UInt64)])
    func bringsTheSameBodiesWhateverFailsOnTheWay(probability: Double, seed: UInt64) async throws {
        let expected = (0..<Self.count).map { "200 \(FlakyService.body(of: "/\($0)?token=s3cr3t"))" }
        let found = try await run(probability: probability, seed: seed).map { try? $0.get() }
        #expect(found == expected)
    }

    @Test func failsEverywhereWhenEverythingFails() async throws {
        for result in try await run(probability: 1, seed: 7) {
            switch result {
            case .success(let text): #expect(text.hasPrefix("500 ") || text.hasPrefix("429 "))
            case .failure(let error):
                #expect([.reset, .truncated].contains(error.kind) && error.attempts == 3)
                #expect(!"\(error)".contains("s3cr3t"))
            }
        }
    }
}
