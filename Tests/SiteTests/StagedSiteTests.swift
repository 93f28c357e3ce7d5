import Diagnostics
import Foundation
import Glibc
import Testing

@testable import Site

struct StagedSiteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }
    /// No process can have this id: it lies beyond the largest that Linux gives.
    private let deadProcess = 2_000_000_001

    init() throws { folder = try TemporaryFolder() }

    @Test func firstSiteIsMovedIntoItsPlace() throws {
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("{}".utf8))
        try staged.write("a/b/c.html", Array("deep".utf8))
        #expect(!FileManager.default.fileExists(atPath: output))
        try staged.swapIn()
        #expect(try folder.tree("site") == ["status.json": "{}", "a/b/c.html": "deep"])
        #expect(try folder.names() == ["site"])
    }

    @Test func oldSiteIsReplacedWhole() throws {
        try folder.write("site/status.json", "old")
        try folder.write("site/gone/index.html", "old")
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("new".utf8))
        #expect(try folder.tree("site") == ["status.json": "old", "gone/index.html": "old"])
        try staged.swapIn()
        #expect(try folder.tree() == ["site/status.json": "new"])
        #expect(try folder.names() == ["site"])
    }

    @Test func slashAtTheEndOfTheOutputIsNothing() throws {
        let staged = try StagedSite(output: output + "/")
        try staged.write("status.json", Array("{}".utf8))
        try staged.swapIn()
        #expect(try folder.tree() == ["site/status.json": "{}"])
    }

    @Test func emptyFolderMayBecomeASite() throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("{}".utf8))
        try staged.swapIn()
        #expect(try folder.tree() == ["site/status.json": "{}"])
    }

    @Test func abandonedSiteLeavesNothing() throws {
        try folder.write("site/status.json", "old")
        let staged = try StagedSite(output: output)
        try staged.write("x/y.html", Array("new".utf8))
        staged.abandon()
        #expect(try folder.tree() == ["site/status.json": "old"])
        #expect(try folder.names() == ["site"])
    }

    @Test(arguments: ["site/thesis.txt", "site"])
    func foreignFolderIsRefused(file: String) throws {
        try folder.write(file, "my words")
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: output) }
        #expect(problem?.id == "site.foreign-folder")
        #expect(problem?.location == .file(path: output))
        #expect(problem?.hints == ["choose an empty or a new folder with 'output'"])
        #expect(try folder.tree() == [file: "my words"])
    }

    @Test func leftoversOfDeadProcessesAreRemoved() throws {
        try folder.write("site/status.json", "old")
        try folder.write(".site.staging-\(deadProcess)/index.html", "half")
        try folder.write(".site.staging-\(deadProcess).old/index.html", "older")
        let staged = try StagedSite(output: output)
        staged.abandon()
        #expect(try folder.names() == ["site"])
    }

    @Test func leftoversOfOthersStand() throws {
        // Process 1 is always alive.
        let names = [
            ".site.staging-1", ".other.staging-\(deadProcess)", ".site.staging-", ".site.staging-x",
            "site.staging-7",
        ]
        for name in names { try folder.write("\(name)/index.html", "theirs") }
        let staged = try StagedSite(output: output)
        staged.abandon()
        #expect(try folder.names() == names.sorted())
    }

    @Test func siteThatWasMovedAsideIsPutBack() throws {
        try folder.write(".site.staging-\(deadProcess).old/status.json", "old")
        try folder.write(".site.staging-\(deadProcess)/status.json", "half")
        let staged = try StagedSite(output: output)
        staged.abandon()
        #expect(try folder.tree() == ["site/status.json": "old"])
    }

    @Test func linkStaysAndWhatItLeadsToIsReplaced() throws {
        try folder.write("srv/www/status.json", "old")
        try folder.write("srv/www/gone.html", "old")
        try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "srv/www")
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("new".utf8))
        try staged.swapIn()
        #expect(try folder.tree("srv") == ["www/status.json": "new"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: output) == "srv/www")
        #expect(try folder.names() == ["site", "srv"])
    }

    @Test func leftoverThatIsALinkIsRemovedAndNotFollowed() throws {
        try folder.write("home/thesis.txt", "mine")
        for process in [deadProcess, Int(getpid())] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/.site.staging-\(process)", withDestinationPath: "home")
        }
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("new".utf8))
        try staged.swapIn()
        #expect(try folder.tree() == ["home/thesis.txt": "mine", "site/status.json": "new"])
        #expect(try folder.names() == ["home", "site"])
    }

    @Test func placeBelowAFileIsRefused() throws {
        try folder.write("file", "x")
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: folder.path + "/file/site") }
        #expect(problem?.id == "file.missing")
        #expect(problem?.summary.contains(folder.path + "/file/") == true)
        #expect(try folder.tree() == ["file": "x"])
    }

    @Test func fileThatCannotBeWrittenIsAFailure() throws {
        let staged = try StagedSite(output: output)
        try staged.write("a", Array("x".utf8))
        let failure = #expect(throws: FileFailure.self) { try staged.write("a/b", Array("y".utf8)) }
        #expect(failure?.code == ENOTDIR || failure?.code == EEXIST)
        #expect(failure?.diagnostic.hints.isEmpty == false)
        staged.abandon()
    }

    @Test(arguments: [
        (ENOSPC, "file.full"), (EDQUOT, "file.full"), (EROFS, "file.read-only"), (EACCES, "file.read-only"),
        (ENOENT, "file.missing"), (EFBIG, "file.too-large"), (EMFILE, "file.too-many-open"),
        (EIO, "file.failed"),
    ])
    func failuresAreToldWithAHint(code: Int32, id: String) {
        let told = FileFailure("write", "site/a.html", code: code).diagnostic
        #expect(told.id == id)
        #expect(told.location == .file(path: "site/a.html"))
        #expect(told.summary.hasPrefix("Cannot write 'site/a.html': "))
        #expect(told.hints.count == 1)
    }

    @Test func filesHaveALimit() throws {
        try folder.write("a", "12345")
        #expect(try readFile(folder.path + "/a", limit: 5) == Array("12345".utf8))
        #expect(throws: FileFailure.self) { try readFile(folder.path + "/a", limit: 4) }
        #expect(throws: FileFailure.self) { try readFile(folder.path) }
        #expect(throws: FileFailure.self) { try readFile("/dev/zero") }
    }
}
