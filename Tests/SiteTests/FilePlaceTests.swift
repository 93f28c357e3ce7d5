import Diagnostics
import Files
import Foundation
import Platform
import Testing

@testable import Site

/// Where paths lead, however they are spelled.
struct FilePlaceTests {
    @Test func mountPointsAreKnown() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b", "")
        #expect(!isMountPoint(folder.path + "/a") && !isMountPoint(folder.path + "/none"))
        #expect(isMountPoint("/") && isMountPoint("/proc") && isMountPoint("/proc/../proc/"))
        let list =
            "36 35 98:0 /mnt1 /site\\040of\\134us rw - ext3 /dev/root rw\n22 1 0:5 / /dev rw - devtmpfs udev rw\n"
        #expect(mountPoints(in: list) == ["/site of\\us", "/dev"])
    }

    /// Also those whose names begin with a mark that goes onto the slash before it.
    @Test(arguments: ["a/b", "a/\u{301}b/c", "\u{301}a/\u{301}b", "a/b/"])
    func foldersAreMadeWithThoseAbove(path: String) throws {
        try makeFolder("\(folder.path)/\(path)")
        #expect(pathKind("\(folder.path)/\(path)") == .folder)
    }

    /// A pipe without a writer: whoever waited for one would wait for ever.
    @Test func aPipeIsNeitherReadNorReplaced() throws {
        try folder.write("content/notes/real.md", "x")
        let pipes = ["content/pipe.md", "content/notes/pipe.md"].map { "\(folder.path)/\($0)" }
        for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "content/pipe.md")
        for path in pipes + ["\(folder.path)/link"] {
            do throws(FileFailure) {
                _ = try readFile(path)
                #expect(Bool(false), "\(path) was read")
            } catch {
                #expect(error.diagnostic.id == "file.no-file" && error.diagnostic.gravity == .usage)
            }
            do throws(FileFailure) {
                try replaceFile(path, [1])
                #expect(Bool(false), "\(path) was replaced")
            } catch {
                #expect(error.diagnostic.id == "file.no-file")
            }
            #expect(pathKind(path) == .other)
        }
        let problems = ContentFolder.read("\(folder.path)/content").1.map(\.id)
        #expect(problems.count { $0 == "file.no-file" } == 2, "\(problems)")
    }

    /// What a link leads to is replaced, or made where it is not there yet; the link stays.
    @Test(arguments: [
        ("site/a/file", "site/a/file"), ("site/new", "site/new"), ("alias/new", "site/new"),
        ("chain", "site/new"), ("\(FileManager.default.currentDirectoryPath)/none/new", nil),
    ])
    func aFileIsWrittenWhereItsLinkLeads(target: String, file: String?) throws {
        for (link, target) in [("latest", target), ("chain", "site/new")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(link)", withDestinationPath: target)
        }
        let path = "\(folder.path)/latest"
        do throws(FileFailure) {
            try replaceFile(path, Array("new".utf8))
            #expect(file != nil)
        } catch {
            #expect(file == nil && error.isMissing, "\(error)")
        }
        #expect(linkTarget(path) == target)
        if let file {
            #expect(try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8) == "new")
        }
    }

    /// However the path of a folder ends, it leads to the same folder by a name.
    @Test(arguments: [
        ("site", "site"), ("site/", "site"), ("site/.", "site"), ("site/././/", "site"),
        ("site/a/..", "site"),
        ("site/a/../", "site"), ("site/new/..", "site"), ("new/.", "new"), ("a/new/../..", ""),
        ("site./", "site."),
        ("...", "..."), ("", ""), (".", ""),
    ])
    func aPathEndsInAName(path: String, expected: String) throws {
        let top = fullPath(folder.path)
        #expect(namedPath("\(top)/\(path)") == (expected.isEmpty ? top : "\(top)/\(expected)"))
    }

    @Test func theWorkingFolderHasANameToo() {
        #expect(namedPath(".") == FileManager.default.currentDirectoryPath)
        #expect(namedPath("..") == splitPath(FileManager.default.currentDirectoryPath).folder)
        #expect(namedPath("/") == "/" && namedPath("/.") == "/" && namedPath("new/..") == namedPath("."))
        #expect(namedPath("site/.") == "site")
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("site/a/file", "x")
        try folder.write("content/pages/page.md", "x")
        for (link, target) in [
            ("alias", "site"), ("site/out", "../content"), ("archive", "site/a/file"), ("circle", "circle"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(link)", withDestinationPath: target)
        }
    }

    private func place(_ path: String) -> FilePlace { FilePlace("\(folder.path)/\(path)") }

    @Test(arguments: [
        ("site", "site", true), ("site/a/file", "site", true), ("site/new/deep", "site", true),
        ("alias/new", "site", true), ("site/a", "alias", true), ("content/../site/a", "site", true),
        ("site//./a", "site", true), ("archive", "site", true), ("content", "site", false),
        ("site/out", "site", true), ("site/out/pages", "content", true), ("site/../content", "site", false),
        ("sitex", "site", false), ("new/a", "new", true), ("newer", "new", false), ("circle", "site", false),
        ("", "site", false),
    ])
    func liesInTheFolderItLeadsThrough(path: String, other: String, expected: Bool) {
        #expect(place(path).lies(in: place(other)) == expected)
    }

    @Test func hardLinkIsTheSameFile() throws {
        try #require(link("\(folder.path)/site/a/file", "\(folder.path)/other") == 0)
        #expect(place("other").isSame(as: place("site/a/file")))
        #expect(place("archive").isSame(as: place("other")))
        #expect(!place("content").isSame(as: place("other")))
        #expect(place("new").isSame(as: place("alias/../new")))
    }

    @Test(arguments: [
        ("site/a/new", "site", "a/new"), ("alias/new.html", "site", "new.html"), ("content/x", "site", nil),
        ("site", "site", nil),
    ])
    func pathBelowAFolderIsCountedFromIt(file: String, other: String, expected: String?) {
        #expect(path(of: "\(folder.path)/\(file)", below: "\(folder.path)/\(other)") == expected)
    }
}
