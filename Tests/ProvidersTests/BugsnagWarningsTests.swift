import Diagnostics
import LoopbackServer
import Testing

@testable import Providers

struct BugsnagWarningsTests {
    /// What was skipped before the fault is reported with it.
    @Test func aFetchThatFailsKeepsItsWarnings() async throws {
        let stub = try await StubBugsnag.start { request in
            switch request.path {
            case "/user/organizations": .json(#"[{"id":"org1","name":"Lantern"},{"id":7}]"#)
            case "/organizations/org1/projects": .json(#"[{"id":"p1","slug":"sketchbook-ios"},{"slug":[]}]"#)
            default: .json("{}", status: 418)
            }
        }
        let provider = try BugsnagProvider(stub.configuration(), sender: client())
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await stub.server.stop()
        #expect(outcome.failures.map(\.why.id) == ["transport.status-418"])
        #expect(outcome.warnings.count >= 2)
        #expect(outcome.warnings.allSatisfy { $0.id.hasPrefix("decoding.") })
    }
}
