import Diagnostics
import Testing

@testable import Transport

struct InputErrorTests {
    private func check(_ error: some DiagnosticConvertible, _ id: String) {
        let diagnostic = error.diagnostic
        #expect(diagnostic.id == id && !diagnostic.hints.isEmpty && !diagnostic.summary.hasSuffix("."))
        #expect(!consoleText(of: diagnostic).contains("\u{1B}"))
    }

    @Test(arguments: [
        AddressError.tooLong(bytes: 9), .character, .userInformation, .host, .segment("\u{1B}.."),
        .malformed("bad"),
    ])
    func addressErrorsAreReported(error: AddressError) {
        check(error, "transport.address")
    }

    @Test func schemeErrorNamesWhatWasFound() {
        check(AddressError.scheme("ftp"), "transport.scheme")
        #expect(AddressError.scheme("ftp").diagnostic.details == ["found: ftp"])
    }

    @Test(arguments: [
        HeaderError.name("\u{1B}"), .value(name: "A"), .reserved("Host"), .needsSecret("Cookie"),
    ])
    func headerErrorsAreReported(error: HeaderError) {
        check(error, "transport.header")
    }
}
