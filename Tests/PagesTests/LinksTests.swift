import Pages
import Testing

/// Where links of a file lead that holds several pages.
struct LinksTests {
    private static let inside: Set<SitePath> = [.portfolio, .methods]

    @Test(
        arguments: [
            (Links.within(inside, base: nil), SitePath.methods, "#methods/index"),
            (.within(inside, base: nil), .sources, nil),
            (.within(inside, base: "https://a.example/"), .sources, "https://a.example/sources/index"),
            (.within(inside, base: "https://a.example/"), .methods, "#methods/index"),
            (.relative(from: .methods), .sources, "../sources/index"), (.absent, .sources, nil),
        ] as [(Links, SitePath, String?)])
    func stem(links: Links, target: SitePath, expected: String?) {
        #expect(links.stem(to: target) == expected)
    }
}
