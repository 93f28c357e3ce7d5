import Analysis
import Configuration
import Diagnostics
import Files
import Foundation
import Platform
import Testing

@testable import Site

/// Sites whose name is a link that each build leads to another folder.
struct LinkedSiteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }
    private let policy = OutputPolicy(swap: .link)

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func build(
        _ text: String, _ policy: OutputPolicy? = nil
    ) throws -> (notices: [Diagnostic], warnings: [Diagnostic]) {
        let staged = try StagedSite(output: output, policy ?? self.policy)
        try staged.write("status.json", Array(text.utf8))
        try staged.write("a/page.html", Array(text.utf8))
        return (staged.notices, try staged.swapIn().warnings)
    }

    /// What visitors see.
    private var seen: String {
        String(
            decoding: FileManager.default.contents(atPath: output + "/status.json") ?? Data(), as: UTF8.self)
    }

    private func target(_ link: String = "site") -> String? { linkTarget(folder.path + "/" + link) }

    /// The names of the folders of sites.
    private func sites() throws -> [String] {
        try folder.names().filter { $0.hasPrefix(".site.linked-") }
    }

    @Test func eachBuildLeadsTheLinkToAnotherFolderAndOneOlderIsKept() throws {
        var targets: [String] = []
        for number in 1...4 {
            let (notices, warnings) = try build("\(number)")
            #expect(notices.isEmpty && warnings.isEmpty)
            #expect(seen == "\(number)")
            targets.append(try #require(target()))
            #expect(try sites() == targets.suffix(2).sorted())
        }
        #expect(Set(targets).count == 4 && targets.allSatisfy { !$0.contains("/") })
        #expect(target(".site.previous") == targets[2])
        #expect(try folder.names().count == 4)
        let old = folder.path + "/" + targets[2] + "/status.json"
        #expect(FileManager.default.contents(atPath: old) == Data("3".utf8))
    }

    @Test func folderBecomesALinkWithAWord() throws {
        try build("old", OutputPolicy())
        try folder.write("site/CNAME", "quay.example")
        let before = try #require(stat(of: output))
        let (notices, _) = try build("new")
        #expect(notices.map(\.id) == ["site.becomes-link"])
        #expect(seen == "new")
        #expect(try folder.tree(try #require(target()))["CNAME"] == "quay.example")
        // The folder itself is what is kept.
        let previous = try #require(target(".site.previous"))
        #expect(stat(of: folder.path + "/" + previous)?.st_ino == before.st_ino)
        #expect(try build("newer").notices.isEmpty)
        #expect(try sites().count == 2 && seen == "newer")
    }

    private func stat(of path: String) -> stat? {
        var status = Platform.stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    @Test func linkOfAnotherKindIsFollowed() throws {
        try folder.write("srv/www/status.json", "{}")
        try FileManager.default.removeItem(atPath: folder.path + "/srv/www/status.json")
        try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "srv/www")
        try build("one")
        try build("two")
        #expect(target() == "srv/www" && seen == "two")
        #expect(target("srv/www")?.hasPrefix(".www.linked-") == true)
        #expect(try folder.names() == ["site", "srv"])
    }

    @Test func whatABuildDidNotMakeIsRefusedAndKept() throws {
        try build("old")
        try folder.write("site/mine.txt", "mine")
        let problem = #expect(throws: Diagnostic.self) { try build("new") }
        #expect(problem?.id == "site.changed-files" && seen == "old")
        try FileManager.default.removeItem(atPath: output + "/mine.txt")
        try build("new")
        // Into the old site, by a link that was followed before the build.
        let previous = try #require(target(".site.previous"))
        try folder.write("\(previous)/late.txt", "late")
        let warnings = try build("newer").warnings
        #expect(warnings.map(\.id) == ["site.late-files"])
        let late = try #require(try folder.names().first { $0.hasPrefix("site.late-") })
        #expect(try folder.tree(late) == ["late.txt": "late"])
    }

    @Test func whatKilledBuildsLeftIsRemoved() throws {
        try build("old")
        let id = "0123456789abcdef0123456789abcdef"
        try folder.write(".site.linked-\(id)/status.json", "half")
        try FileManager.default.removeItem(atPath: folder.path + "/.site.linked-\(id)/status.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/.site.staging-\(id).link", withDestinationPath: ".site.linked-\(id)")
        try build("new")
        #expect(try sites().count == 2 && !sites().contains(".site.linked-\(id)"))
        #expect(try folder.names().filter { $0.contains("staging") } == [])
    }

    @Test func folderThatIsGoneIsReplacedByTheOneBefore() throws {
        try build("old")
        try build("new")
        try FileManager.default.removeItem(atPath: folder.path + "/" + (try #require(target())))
        #expect(seen == "")
        restoreSite(at: output, .link)
        #expect(seen == "old")
        try build("newer")
        #expect(seen == "newer")
    }

    @Test func withoutTheSettingTheFolderOfTheLinkIsReplaced() throws {
        try build("old")
        let before = target()
        try build("new", OutputPolicy())
        #expect(target() == before && seen == "new")
    }

    @Test func fileIsAddedToTheSiteThatTheLinkLeadsTo() throws {
        try build("old")
        try addFile("buoy.html", Array("one".utf8), for: .team, toSite: output, policy)
        #expect(SiteManifest.File("one".utf8) == (try SiteManifest.read(in: output))?.files["buoy.html"])
        try build("new")
        #expect(seen == "new")
    }
}
