import AppHealth
import Settings
import Testing

@testable import Configuration

/// Whom to trust over TLS and what to show, for all sources and for one.
struct TrustKeysTests {
    private func trusts(_ text: String) throws -> [TrustConfiguration] {
        try configuration(text).apps.flatMap(\.sources).map(\.trust)
    }

    @Test func settingOfAllHoldsWhereASourceHasNone() throws {
        let own = ClientCertificateConfiguration(
            certificate: "own.pem", key: "own.key", password: .environment("P"))
        #expect(
            try trusts(
                """
                certificateAuthority: all.pem
                clientCertificate: {certificate: own.pem, key: own.key, password: "${P}"}
                apps:
                  - id: harbour
                    sources:
                      - {provider: files, path: data}
                      - {provider: files, id: b, path: data, certificateAuthority: one.pem}
                      - {provider: files, id: c, path: data, clientCertificate: {certificate: c.pem, passwordFile: p}}
                """) == [
                    TrustConfiguration(certificateAuthority: "all.pem", clientCertificate: own),
                    TrustConfiguration(certificateAuthority: "one.pem", clientCertificate: own),
                    TrustConfiguration(
                        certificateAuthority: "all.pem",
                        clientCertificate: ClientCertificateConfiguration(
                            certificate: "c.pem", password: .file("p"))),
                ])
    }

    @Test func withoutTheKeysTheSystemIsTrustedAndNothingShown() throws {
        #expect(try trusts(oneApp) == [TrustConfiguration()])
    }

    static let faulty = [
        Case(
            "certificate without a file",
            source("provider: files\npath: data\nclientCertificate: {key: k.pem}"),
            "config.missing-key 6:28 add 'certificate' with the path of a PEM file"),
        Case(
            "password itself",
            source("provider: files\npath: data\nclientCertificate: {certificate: c.pem, password: sesame}"),
            "config.literal-password 6:59 use 'password: ${NAME}' with an environment variable, or 'passwordFile: path'"
        ),
        Case(
            "payloads from no server",
            source("provider: metrickit\npath: data\ncertificateAuthority: ca.pem"),
            "yaml.unknown-key 6:9 use one of: provider, id, until, path"),
        Case(
            "time budget", "timeBudget: 0\n" + oneApp, "yaml.wrong-type 1:13"),
    ]

    @Test(arguments: faulty) func aFaultIsReportedWithItsPlace(one: Case) { check(one) }
}
