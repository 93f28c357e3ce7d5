import AppHealth
import Foundation
import Testing

@testable import Providers

struct WebAddressTests {
    private static let texts: [(String, Bool)] = [
        ("https://example.com/1", true), ("http://example.com/1", true), ("HTTPS://example.com/1", true),
        ("Http://example.com/1", true), ("Not implemented", false), ("javascript:alert(1)", false),
        ("https://example.com/a b", false), ("https://example.com/\u{7F}", false), ("https:/", false),
        ("", false),
    ]

    @Test(arguments: texts)
    func onlyAddressesOfTheWebAreLinks(text: String, isLink: Bool) {
        #expect(text.asWebAddress == (isLink ? text : nil))
        var losses = SkippedValues(provider: "sample", endpoint: "issues")
        #expect(losses.webAddress(text, at: "url") == text.asWebAddress)
        #expect(losses.warnings.isEmpty == isLink)
    }

    /// GlitchTip's links are read as those of any other service, without a warning for its `Not implemented`.
    @Test(arguments: texts)
    func glitchtipLinksAreReadAsAllOthers(text: String, isLink: Bool) throws {
        let body = try JSONEncoder().encode(["id": "7", "permalink": text])
        let issue = try #require(glitchtipIssue(try JSONDecoder().decode(GlitchtipIssue.self, from: body)))
        #expect(issue.url == (isLink ? text : nil))
    }
}
