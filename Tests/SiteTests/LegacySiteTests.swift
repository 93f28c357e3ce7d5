import Foundation
import Testing

@testable import Site

/// Sites of version 0.1, which have no manifest.
struct LegacySiteTests {
    private let folder: TemporaryFolder
    private static let status =
        #"{"format":"plimsoll-status","version":1,"apps":[{"id":"harbour","verdict":"meets"}]}"#
    private static let made = [
        "index.html", "index.md", "404.html", "404.md", "feed.xml", "feed.json", "sitemap.xml", "robots.txt",
        "data.json", "data.csv", "data-events.csv", "chart-days.svg", "chart-days.csv",
        "schema/data-1.schema.json",
        "assets/site.1c68a758cb.css", "methods/index.html", "health/data.json", "guide/index.html",
        "guide/chart-1.svg", "apps/harbour/index.html", "apps/harbour/badge.svg",
        "apps/harbour/days/2026-11-19/summary.md", "apps/harbour/compare/1.0...2.0/data-issues.csv",
    ]

    init() throws { folder = try TemporaryFolder() }

    private func write(status: String = status, _ files: [String] = made) throws {
        for file in files { try folder.write("site/\(file)", "x") }
        try folder.write("site/status.json", status)
        try folder.write("site/llms.txt", "- [Guide](guide/index.md): a page")
        try folder.write("site/llms-full.txt", "all")
    }

    private func inspection() throws -> SiteInspection {
        try SiteInspection(folder.path + "/site", OutputPolicy())
    }

    @Test func everyFileOfAnOldSiteIsKnown() throws {
        try write()
        #expect(try inspection().lost == [])
        #expect(try inspection().isSite)
    }

    @Test(arguments: [
        "thesis.txt", "apps/other/index.html", "apps/harbour/notes.txt", "notes/index.html",
        "assets/logo.png",
        ".htaccess", "manifest.json", "guide/deeper/index.html",
    ])
    func fileThatNoOldBuildMakesIsForeign(path: String) throws {
        try write(Self.made + [path])
        #expect(try inspection().lost == [path])
    }

    @Test func fileWrittenAfterTheBuildIsForeign() throws {
        try write()
        let later = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 60)]
        try FileManager.default.setAttributes(later, ofItemAtPath: folder.path + "/site/index.html")
        #expect(try inspection().lost == ["index.html"])
    }

    @Test func singleFileOfAnOldSiteIsKnown() throws {
        try write()
        try folder.write("site/harbour.html", "report")
        try folder.write("site/other.html", "mine")
        #expect(try inspection().lost == ["other.html"])
    }

    @Test(arguments: ["{}", "[]", #"{"format":"other","version":1,"apps":[]}"#])
    func otherStatusIsNoSite(status: String) throws {
        try write(status: status)
        #expect(try !inspection().isSite)
        #expect(try inspection().lost.count == Self.made.count + 3)
    }
}
