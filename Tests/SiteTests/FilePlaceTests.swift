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
