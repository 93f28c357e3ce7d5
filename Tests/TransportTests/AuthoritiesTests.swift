import Testing

@testable import Transport

/// Authorities that hold for one origin only.
@Suite(.enabled(if: TLSServer.openssl != nil, "openssl is not installed"))
struct AuthoritiesTests {
    @Test func eachOriginHasItsOwn() async throws {
        let (one, other) = (try await TLSServer.start(), try await TLSServer.start())
        let requests = try [one, other].map { try Request.make("https://127.0.0.1:\($0.port)/") }
        let origins = requests.map(\.address.origin)
        let client = Client.make {
            $0.authorities = [origins[0]: one.authority, origins[1]: other.authority]
        }
        for request in requests { #expect(try await client.send(request).status == 200) }
        let half = Client.make { $0.authorities = [origins[0]: one.authority] }
        #expect(try await half.send(requests[0]).status == 200)
        #expect(await failure(of: requests[1], by: half)?.kind == .tls)
        let over = Client.make {
            $0.certificateFile = other.authority
            $0.authorities = [origins[0]: one.authority]
        }
        for request in requests { #expect(try await over.send(request).status == 200) }
    }
}
