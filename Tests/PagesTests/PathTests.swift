import AppHealth
import HistoryFixtures
import Pages
import Testing

struct PathTests {
    private static let app = Slug(anyText: "sketchbook")

    @Test(arguments: [
        (SitePath.portfolio, "index", "", ""), (.notFound, "404", "", ""),
        (.methods, "methods/index", "../", "methods/"),
        (.sources, "sources/index", "../", "sources/"),
        (.app(app), "apps/sketchbook/index", "../../", "apps/sketchbook/"),
        (.part(.issues, of: app), "apps/sketchbook/issues/index", "../../../", "apps/sketchbook/issues/"),
        (
            .day(lastDay, of: app), "apps/sketchbook/days/2016-01-27/index", "../../../../",
            "apps/sketchbook/days/2016-01-27/"
        ),
        (
            .release("4.2.1", of: app), "apps/sketchbook/releases/4.2.1/index", "../../../../",
            "apps/sketchbook/releases/4.2.1/"
        ),
        (.group("photo"), "groups/photo/index", "../../", "groups/photo/"),
        (.group("photo", part: 2), "groups/photo/2/index", "../../../", "groups/photo/2/"),
        (
            .group("Photo"), "groups/photo-d84eebada93efee12b029e5b61e4df3270f0/index", "../../",
            "groups/photo-d84eebada93efee12b029e5b61e4df3270f0/"
        ),
        (SitePath(folder: [app, app]), "sketchbook/sketchbook/index", "../../", "sketchbook/sketchbook/"),
    ])
    func pathLeadsToTheTop(path: SitePath, stem: String, root: String, folder: String) {
        #expect(path.stem == stem)
        #expect(path.root == root)
        #expect(path.folder == folder)
    }

    /// Two groups never share a page, and none has that of a part of the list of groups.
    @Test func groupsHavePagesOfTheirOwn() {
        let names = [
            "photo", "Photo", "PHOTO", "photo ", "2", "02", "٢", "con", "index", "../a", "a/b", "ä", "",
        ]
        let paths = names.map { SitePath.group($0).stem } + ["groups/2/index", "groups/index"]
        #expect(Set(paths.map { $0.lowercased() }).count == names.count + 2)
        #expect(paths.allSatisfy { !$0.contains("..") && $0.count { $0 == "/" } <= 2 })
    }

    @Test(
        arguments: [
            (Links.relative(from: .portfolio), "methods/index"),
            (.relative(from: .app(app)), "../../methods/index"),
            (.absolute(base: "https://example.org/r"), "https://example.org/r/methods/index"),
            (.absolute(base: "https://example.org/r/"), "https://example.org/r/methods/index"),
            (.absent, nil),
        ] as [(Links, String?)])
    func linkIsWrittenForItsReader(links: Links, stem: String?) {
        #expect(links.stem(to: .methods) == stem)
    }

    @Test(arguments: [
        "1", "../../../etc/passwd", "..", "a/b", "\\\\host", "", "\u{202E}gnp", "A", "عربى", "a?b#c",
        "%2e%2e%2f",
        String(repeating: "x/", count: 400),
    ])
    func foreignNameStaysOnePartOfThePath(name: String) {
        for path in [SitePath.issue(name, of: Self.app), .release(name, of: Self.app)] {
            let parts = path.stem.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.count == 5 && parts.allSatisfy { Slug(String($0)) != nil }, "\(path)")
        }
    }

    @Test func addressOfAnIssueDependsOnItsIdAlone() {
        let days = [IssueDay.make("a", users: 3), .make("b", users: 9)]
        let first = [Issue(id: "a", title: "A", users: 3), Issue(id: "b", title: "B", users: 9)]
        let later = [Issue(id: "b", title: "Renamed", users: 1), Issue(id: "a", title: "", users: 99)]
        func stems(_ issues: [Issue], _ days: [IssueDay]) -> Set<String?> {
            Set(AppPages(.make(.make(issues: issues, issueDays: days)), site: site).issues.issues.map(\.stem))
        }
        #expect(stems(first, days) == stems(later, []))
        #expect(
            stems(first, days) == [
                "a/index", "b/index",
            ])
    }

    @Test func navigationMarksThePageItself() {
        var facts = site
        facts.contentPages = [("About", SitePath(folder: [Slug(anyText: "about")]))]
        let frame = SourcesPage([], site: facts).frame
        #expect(frame.navigation.map(\.title) == ["Apps", "About", "Methods", "Data sources"])
        #expect(
            frame.navigation.map(\.stem) == [
                "../index", "../about/index", "../methods/index", "index",
            ])
        #expect(frame.navigation.map(\.isCurrent) == [false, false, false, true])
        #expect(frame.root == "../" && frame.stem == "sources/index" && frame.asOf == "2016-01-28 06:30 UTC")
    }

    @Test(arguments: [
        (nil, "", "index"), ("https://example.org", "/", "/index"), ("https://example.org/", "/", "/index"),
        ("https://example.org/reports/", "/reports/", "/reports/index"),
    ])
    func pageServedFromAnyDepthLinksFromTheTopOfTheHost(base: String?, root: String, stem: String) {
        var facts = site
        facts.baseURL = base
        let frame = NotFoundPage(site: facts).frame
        #expect(frame.root == root)
        #expect(frame.navigation.first?.stem == stem)
    }

    @Test func partsOfAnAppAreLinked() {
        let page = AppPages(.make(.make()), site: site).usage
        #expect(page.parts.map(\.title) == ["Overview", "Activity", "Issues", "Releases", "Usage"])
        #expect(page.parts.map(\.isCurrent) == [false, false, false, false, true])
    }
}

struct RelativeAddressTests {
    @Test(arguments: [
        (SitePath.portfolio, SitePath.portfolio, "index"), (.methods, .portfolio, "methods/index"),
        (.portfolio, .methods, "../index"), (.notFound, .methods, "../404"),
        (.app(Slug(anyText: "a")), .app(Slug(anyText: "a")), "index"),
        (.app(Slug(anyText: "a")), .app(Slug(anyText: "b")), "../a/index"),
        (.issue("i", of: Slug(anyText: "a")), .app(Slug(anyText: "a")), "issues/i/index"),
        (.app(Slug(anyText: "a")), .issue("i", of: Slug(anyText: "a")), "../../index"),
    ])
    func isTheShortest(target: SitePath, page: SitePath, expected: String) {
        #expect(target.stem(from: page) == expected)
    }
}
