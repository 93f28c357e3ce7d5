import AppHealth
import Testing

struct SlugTests {
    @Test(arguments: [
        "a", "0", "sketchbook", "4.2.1", "a-b_c.d", "a--b", "a..b", "1-", String(repeating: "a", count: 80),
    ])
    func safeNameIsASlug(text: String) {
        #expect(Slug(text)?.text == text)
        #expect(Slug(anyText: text).text == text)
    }

    static let unsafe = [
        "", ".", "..", "-a", "_a", ".hidden", "A", "sKetch", "a b", "a/b", "/", "\\", "../..", "a/../b",
        "a\0",
        "a\n", "é", "e\u{301}", "船", "شراع", "\u{202E}abc", "a%2fb", "C:", "a?b", "a#b", "👩‍🚀", "...", "---",
        "ａ", "١", "ﬁ", String(repeating: "a", count: 81), String(repeating: "A", count: 300),
        String(repeating: "عربى", count: 75), String(repeating: "../", count: 100),
    ]

    @Test(arguments: unsafe)
    func unsafeNameIsNoSlugButHasOne(text: String) {
        #expect(Slug(text) == nil)
        let slug = Slug(anyText: text)
        #expect(Slug(slug.text) == slug, "\(slug) is no slug itself")
        #expect(slug == Slug(anyText: text))
    }

    @Test func differentTextsHaveDifferentSlugs() {
        let texts = Self.unsafe + ["Sketch", "sketch", "SKETCH", "sketch ", " sketch", "a-b", "a_b", "a.b"]
        #expect(Set(texts.map { Slug(anyText: $0) }).count == texts.count)
    }

    @Test(arguments: [
        ("A", "a-fc4c860222ec"), ("a/b", "a-b-c3190468cf61"), ("", "x-9ce484222325"),
        ("EXC_BAD_ACCESS", "exc_bad_access-"), ("../..", "x-"),
        ("  Index out of range!", "index-out-of-range-"),
    ])
    func slugStatesTheTextAndNeverChanges(text: String, start: String) {
        #expect(Slug(anyText: text).text.hasPrefix(start))
    }

    @Test func slugsAreOrderedByTheirText() {
        let slugs = ["b", "a", "a-b", "10", "9"].map { Slug(anyText: $0) }
        #expect(slugs.sorted().map(\.text) == ["10", "9", "a", "a-b", "b"])
    }
}
