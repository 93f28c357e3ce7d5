import Foundation
import Testing

/// Whom a configuration trusts over TLS, and what it shows.
@Suite(.enabled(if: TLSStub.openssl != nil, "openssl is not installed"))
struct TrustTests {
    private static let own =
        "clientCertificate: {certificate: tls/client.pem, key: tls/client.key, password: \"${QUAY_KEY}\"}"

    /// A fetch of one snapshot over TLS; lines for the source, and lines for the whole configuration.
    private func fetch(
        _ server: TLSStub, source: [String] = [], all: [String] = [],
        prepare: (Folder) throws -> Void = { _ in }
    ) async throws -> Run {
        let folder = try Folder()
        try server.give(to: folder)
        try prepare(folder)
        let keys = (["provider: files", "path: \(server.address)"] + source).map { "        " + $0 }
        try folder.write(
            "plimsoll.yml",
            (["asOf: 2026-11-20T06:00:00Z"] + all + ["apps:", "  - id: buoy", "    sources:", "      -"]
                + keys)
                .joined(separator: "\n") + "\n")
        let run = try await Program.run(
            "fetch", in: folder, environment: ["QUAY_KEY": TLSStub.password, "QUAY_WRONG": "shut"])
        #expect(!run.printed.contains(TLSStub.password))
        return run
    }

    private func checkGood(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
        #expect(run.output.hasPrefix("✓ buoy from files: 1 snapshot, "), sourceLocation: sourceLocation)
    }

    private func checkBad(
        _ run: Run, _ reported: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.status == 1, "\(run.printed)", sourceLocation: sourceLocation)
        for words in reported {
            #expect(
                run.errors.contains(words), "\(words) is missing in:\n\(run.errors)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func anAuthorityOfOnesOwnIsTrusted() async throws {
        let server = try await TLSStub.start()
        checkBad(try await fetch(server), "[transport.tls]")
        checkGood(try await fetch(server, source: ["certificateAuthority: tls/ca.pem"]))
        checkGood(try await fetch(server, all: ["certificateAuthority: tls/ca.pem"]))
    }

    @Test func aSourcesOwnAuthorityGoesBeforeTheOneForAll() async throws {
        let server = try await TLSStub.start()
        checkBad(
            try await fetch(
                server, source: ["certificateAuthority: tls/client.pem"],
                all: ["certificateAuthority: tls/ca.pem"]),
            "[transport.tls]")
    }

    @Test func aCertificateIsShownToWhoAsks() async throws {
        let server = try await TLSStub.start(asksForCertificate: true)
        let trust = "certificateAuthority: tls/ca.pem"
        checkBad(try await fetch(server, source: [trust]), "[transport.")
        checkGood(try await fetch(server, source: [trust, Self.own]))
        checkGood(try await fetch(server, all: [trust, Self.own]))
        checkBad(
            try await fetch(server, source: [trust, Self.own.replacing("QUAY_KEY", with: "QUAY_WRONG")]),
            "[transport.tls]")
    }

    @Test func whatCannotBeReadIsReportedWithItsPlace() async throws {
        let server = try await TLSStub.start()
        checkBad(
            try await fetch(server, source: ["certificateAuthority: tls/gone.pem"]),
            "Cannot read the certificate authority 'tls/gone.pem'", "No such file", "at plimsoll.yml:6:9",
            "hint: check the path")
        checkBad(
            try await fetch(server, source: ["certificateAuthority: plimsoll.yml"]), "[config.not-pem]",
            "is not a certificate authority in PEM form")
        checkBad(
            try await fetch(server, source: [Self.own.replacing("client.key", with: "client.pem")]),
            "[config.not-pem]", "is not a client key in PEM form")
        checkBad(
            try await fetch(server, source: [Self.own.replacing("QUAY_KEY", with: "QUAY_UNSET")]),
            "Environment variable QUAY_UNSET is not set")
    }
}
