import AppHealth
import LoopbackServer
import Synchronization
import Transport

@testable import Providers

/// A stand-in for the Data Access API that plays exchanges, with faults at chosen paths.
final class StubBugsnag: Sendable {
    typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?

    static let token = "lantern-7f3a91c2"

    let server: LoopbackServer

    /// Plays the project's own exchanges; a fault that responds goes first.
    static func start(
        files: [String] = [fixture("bugsnag/exchanges.json")], fault: @escaping Fault = { _ in nil }
    ) async throws -> StubBugsnag {
        let player = try ExchangePlayer(files: files, token: token)
        let origin = Origin()
        let server = try await LoopbackServer.start { request in
            if let answer = try await fault(request) { return answer }
            return player.answer(request, origin: origin.text)
        }
        origin.set(server.origin)
        return StubBugsnag(server: server)
    }

    private init(server: LoopbackServer) {
        self.server = server
    }

    func configuration(_ project: String = "sketchbook-ios", token: String = token) throws
        -> BugsnagConfiguration
    {
        guard let secret = Secret(token) else { throw NoSecret() }
        var configuration = try BugsnagConfiguration(project: project, token: secret, base: server.origin)
        configuration.userDays = 0
        return configuration
    }

    func fetch(
        _ configuration: BugsnagConfiguration, hurrying path: String = "",
        providedBefore: Set<Capability> = [], of stages: BugsnagStages? = nil,
        stored: KnownIssues = KnownIssues()
    ) async throws -> FetchOutcome {
        let sender = HurryingSender(base: client(), path: path)
        var provider = try BugsnagProvider(configuration, sender: sender)
        provider.describedBefore = {
            guard !providedBefore.isEmpty else { return nil }
            var source = bugsnagSource(configuration.id, stages ?? configuration.stages)
            source.capabilities = providedBefore
            return source
        }
        provider.knownIssues = { stored }
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await server.stop()
        return outcome
    }

    private struct NoSecret: Error {}

    /// The origin is known only after the start.
    private final class Origin: Sendable {
        private let value = Mutex("")
        var text: String { value.withLock { $0 } }
        func set(_ text: String) { value.withLock { $0 = text } }
    }
}
