import Diagnostics
import Markup
import Templates
import Testing

@testable import Templates

/// Sections that multiply each other end at a bound, with the place of the section.
struct PageLimitsTests {
    private static let release = Release(issues: (0..<10).map { Issue(title: "\($0)") })

    private func render(_ template: String, _ limits: PageLimits) throws -> (Int, TemplateError?) {
        let template: Template<Release> = try load(template)
        var writer = ByteWriter()
        let error = template.render(Self.release, into: &writer, limits: limits)
        return (writer.count, error)
    }

    @Test(arguments: [
        (1000, 1 << 20, nil), (11, 1 << 20, nil), (10, 1 << 20, "10 times"), (1000, 11, nil),
        (1000, 5, "5 bytes"),
    ])
    func aPageEndsAtItsBounds(entries: Int, bytes: Int, words: String?) throws {
        let limits = PageLimits(bytes: bytes, entries: entries)
        let (count, error) = try render("x\n{{#issues}}{{title}}{{/issues}}", limits)
        #expect((error == nil) == (words == nil), "\(error?.diagnostic.summary ?? "")")
        #expect(count <= bytes + 1)
        guard let words else { return }
        #expect(error?.diagnostic.summary.contains(words) == true, "\(error?.diagnostic.summary ?? "")")
        #expect(error?.line == 2 && error?.path == "templates/page")
        #expect(error?.diagnostic.gravity == .usage)
    }

    /// Twelve lists in each other are ten to the twelfth titles.
    @Test func sectionsThatMultiplyEachOtherEnd() throws {
        let open = String(repeating: "{{#issues}}", count: 12)
        let page = open + "{{title}}" + String(repeating: "{{/issues}}", count: 12)
        let (count, error) = try render(page, PageLimits(entries: 100_000))
        #expect(error?.diagnostic.id == "template.too-much" && count < 200_000)
        let long = open + String(repeating: "long", count: 1000) + String(repeating: "{{/issues}}", count: 12)
        #expect(try render(long, PageLimits(bytes: 1 << 20)).0 < 1 << 21)
    }
}
