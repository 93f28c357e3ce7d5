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
        "ａ", "١", "ﬁ", "con.txt", "CON.txt", "nul", String(repeating: "a", count: 81),
        String(repeating: "A", count: 300),
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
        ("A", "a-559aead08264d5795d3909718cdd05abd495"), ("a/b", "a-b-c14cddc033f64b9dea80ea675cf280a015e6"),
        ("", "x-e3b0c44298fc1c149afbf4c8996fb92427ae"),
        ("con.5 beta", "x-con.5-beta-8b3a537f89eb5d07c5d602e332c0f2a21c39"),
        ("EXC_BAD_ACCESS", "exc_bad_access-"), ("../..", "x-"),
        ("  Index out of range!", "index-out-of-range-"),
    ])
    func slugStatesTheTextAndNeverChanges(text: String, start: String) {
        #expect(Slug(anyText: text).text.hasPrefix(start))
    }

    @Test(arguments: ["A", "4.3.0 (391)", "", "4.3.0"])
    func nameLikeTheSlugOfAnotherHasOneOfItsOwn(text: String) {
        var names = [text]
        for _ in 0..<4 { names.append(Slug(anyText: names.last ?? "", taken: ["4.3.0"]).text) }
        let slugs = names.map { Slug(anyText: $0, taken: ["4.3.0"]) }
        #expect(Set(slugs).count == names.count)
        #expect(slugs.allSatisfy { Slug($0.text) == $0 })
    }

    /// These two have the same 48 bits of FNV-1a, which takes seconds to find.
    @Test func weakDigestMakesNoAddress() {
        #expect(Slug(anyText: "1.0%%~~!~&::(@:b") != Slug(anyText: "1.0]@=@,*~(@~=~b"))
    }

    @Test(arguments: [
        "550e8400-e29b-41d4-a716-446655440000", "main-d41d8cd98f00b204e9800998ecf8427e",
        "1.0-da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "x-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ])
    func nameWithACommonDigestIsPlain(text: String) {
        #expect(Slug(anyText: text).text == text)
    }

    @Test func slugsAreOrderedByTheirText() {
        let slugs = ["b", "a", "a-b", "10", "9"].map { Slug(anyText: $0) }
        #expect(slugs.sorted().map(\.text) == ["10", "9", "a", "a-b", "b"])
    }
}
