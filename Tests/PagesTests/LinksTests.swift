import Pages
import Testing

/// Where links of a file lead that holds several pages.
struct LinksTests {
    private static let inside: Set<SitePath> = [.portfolio, .methods]

    @Test(
        arguments: [
            (Links.within(inside, base: nil), SitePath.methods, "#methods/index"),
            (.within(inside, base: nil), .health, nil),
            (.within(inside, base: "https://a.example/"), .health, "https://a.example/health/index"),
            (.within(inside, base: "https://a.example/"), .methods, "#methods/index"),
            (.relative(from: .methods), .health, "../health/index"), (.absent, .health, nil),
        ] as [(Links, SitePath, String?)])
    func stem(links: Links, target: SitePath, expected: String?) {
        #expect(links.stem(to: target) == expected)
    }
}
