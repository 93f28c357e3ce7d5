import LoopbackServer
import Testing

@testable import Transport

/// A service whose every response fails with a probability; its good responses are compressed in turn as gzip, br
/// and zstd.
private struct FlakyService: Sendable {
    let dice: FaultDice

    static func body(of target: String) -> String {
        "the body of \(target), \(String(repeating: "x", count: 300))"
    }

    func script(_ arrival: FaultServer.Arrival) -> [FaultServer.Step] {
        dice.fault(for: arrival.target).map { fault(arrival.target, $0) } ?? good(arrival.target)
    }

    private func coding(_ target: String) -> Coding {
        Coding.allCases[target.utf8.reduce(0) { $0 + Int($1) } % Coding.allCases.count]
    }

    private func good(_ target: String) -> [FaultServer.Step] {
        let packed = coding(target).packed(Array(Self.body(of: target).utf8))
        return [encoded(target, packed.count), .send(packed)]
    }

    private func fault(_ target: String, _ number: UInt64) -> [FaultServer.Step] {
        let packed = coding(target).packed(Array(Self.body(of: target).utf8))
        let cut = packed.dropLast(1 + Int(number >> 8) % 300)
        switch number % 7 {
        case 0: return [.reset]
        case 1: return []
        case 2: return [head(500, "Content-Length: 0")]
        case 3: return [head(429, "Content-Length: 0", "Retry-After: 1")]
        case 4: return [encoded(target, packed.count), .send(Array(cut))]
        case 5: return [encoded(target, cut.count), .send(Array(cut))]
        default: return [head(200, "Content-Length: 900"), .text("part"), .reset]
        }
    }

    private func encoded(_ target: String, _ count: Int) -> FaultServer.Step {
        head(200, "Content-Encoding: \(coding(target).rawValue)", "Content-Length: \(count)")
    }

    private func head(_ status: Int, _ lines: String...) -> FaultServer.Step {
        .text(
            (["HTTP/1.1 \(status) Stub", "Connection: close"] + lines).joined(separator: "\r\n") + "\r\n\r\n")
    }
}

struct RandomFaultTests {
    private static let count = 100

    /// With the attempts that every fetch makes.
    private func run(
        probability: Double, seed: UInt64, dice: FaultDice? = nil
    ) async throws -> [Result<String, TransportError>] {
        let service = FlakyService(dice: dice ?? FaultDice(probability: probability, seed: seed))
        let server = try FaultServer.start { service.script($0) }
        let client = RetryingClient(
            Client.make { $0.transfersPerHost = 8 },
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

    @Test(
        arguments: [(0.0, 1), (0.05, 2), (0.1, 3), (0.2, 4), (0.3, 5), (0.3, 6), (0.3, 7)]
            as [(Double, UInt64)])
    func bringsTheSameBodiesWhateverFailsOnTheWay(probability: Double, seed: UInt64) async throws {
        let expected = (0..<Self.count).map { "200 \(FlakyService.body(of: "/\($0)?token=s3cr3t"))" }
        let found = try await run(probability: probability, seed: seed).map { try? $0.get() }
        #expect(found == expected)
    }

    @Test func failsEverywhereWhenEverythingFailsAndSoonRequestsNoMore() async throws {
        let dice = FaultDice(probability: 1, seed: 7)
        var outages = 0
        for result in try await run(probability: 1, seed: 7, dice: dice) {
            switch result {
            case .success(let text): #expect(text.hasPrefix("500 ") || text.hasPrefix("429 "))
            case .failure(let error):
                #expect([.reset, .truncated, .outage].contains(error.kind))
                outages += error.kind == .outage ? 1 : 0
                #expect((error.attempts == 0) == (error.kind == .outage))
                #expect(!"\(error)".contains("s3cr3t"))
            }
        }
        // Thirty in a row besides refusals for a limit, and what was under way by then; 1,000 would be all attempts of all
        // requests.
        #expect(dice.count >= 30 && dice.count <= 500 && outages >= 0)
    }
}
