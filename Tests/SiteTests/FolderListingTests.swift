import Files
import Foundation
import Testing

@testable import Site

struct FolderListingTests {
    private static func entry(
        _ path: String, _ kind: FolderEntry.Kind, _ stamp: FileStamp, mode: UInt32 = 0o644
    ) -> FolderEntry {
        FolderEntry(
            path: path, kind: kind, stamp: stamp,
            rights: FolderEntry.Rights(mode: mode, user: 7, group: .max))
    }

    @Test(
        arguments: [
            [],
            [entry("index.html", .file, FileStamp(node: 1, size: 2, written: 3, changed: 4))],
            [
                entry("", .folder, FileStamp(node: 256, size: 65_536, written: 1 << 40, changed: 1 << 62)),
                entry("a", .folder, FileStamp(node: 0, size: 0, written: 0, changed: 0), mode: 0o7755),
                entry(
                    "a/天気 ü b.md", .file, FileStamp(node: .max, size: .max, written: .min, changed: -1),
                    mode: 0),
            ],
        ] as [[FolderEntry]])
    func whatWasThereComesBackAsItWas(entries: [FolderEntry]) throws {
        let digests = [ContentDigest(of: "a".utf8), nil]
        var listing = FolderListing()
        for (number, entry) in entries.enumerated() { listing.add(entry, digests[number % 2]) }
        let items = try #require(FolderListing(bytes: listing.bytes)?.items)
        #expect(items.map(\.digest) == entries.indices.map { digests[$0 % 2] })
        let read = items.map(\.entry)
        func words(_ entry: FolderEntry) -> String {
            let rights = entry.rights
            return "\(entry.path) \(entry.kind) \(entry.stamp) \(rights.mode) \(rights.user) \(rights.group)"
        }
        #expect(read.map(words) == entries.map(words))
    }

    @Test func runsThatDoNotFitEachOtherAreNotRead() throws {
        let root = try OpenFolder("/")
        for (paths, count) in [("a\0b\0", 80), ("a\0", 160), ("a", 80), ("a\0", 79), ("a\0", 0)] {
            let bytes =
                [UInt8(paths.utf8.count)] + [UInt8](repeating: 0, count: 7) + Array(paths.utf8)
                + [UInt8](repeating: 7, count: count)
            let listing = try #require(FolderListing(bytes: bytes))
            #expect(listing.items == nil)
            #expect(!listing.isStill(in: root))
        }
        for bytes in [
            [], [1], [1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 255, count: 99),
        ] {
            #expect(FolderListing(bytes: bytes) == nil)
        }
    }

    /// What may happen to a folder with `a/b/page.html` and `top.html`, and whether it then counts as what it was.
    @Test(arguments: [
        ("true", true),
        ("ln top.html ../elsewhere.html", true),
        ("chmod 600 top.html", false),
        ("echo other > top.html", false),
        ("printf thr > a/b/page.html", false),
        ("cp -p top.html new && mv new top.html", false),
        ("echo new > a/b/new.html", false),
        ("rm a/b/page.html", false),
        ("mkdir -p a/c", false),
        ("mv a/b a/c && mkdir a/b && mv a/c/page.html a/b/ && rmdir a/c", false),
        ("rm top.html && ln -s a/b/page.html top.html", false),
        ("rm -r a && echo file > a", false),
    ])
    func anyChangeIsSeen(command: String, isStill: Bool) throws {
        let folder = try TemporaryFolder()
        let site = folder.path + "/site"
        try FileManager.default.createDirectory(atPath: site + "/a/b", withIntermediateDirectories: true)
        try Data("one".utf8).write(to: URL(fileURLWithPath: site + "/a/b/page.html"))
        try Data("two".utf8).write(to: URL(fileURLWithPath: site + "/top.html"))
        // Times of the past: what is done now changes them, however coarse the clock of the file system is.
        try folder.shell("find . -exec touch -d '2020-02-02 02:02:02' {} +", in: "site")
        var status = stat()
        #expect(stat(site, &status) == 0)
        let listing = FolderListing([FolderEntry("", status)] + (try folderEntries(site)))
        let open = try OpenFolder(site)
        #expect(listing.hasRoot && listing.isStill(in: open))
        try folder.shell(command, in: "site")
        #expect(listing.isStill(in: open) == isStill)
        let above = try OpenFolder(folder.path)
        #expect(!listing.isStill(in: above))
    }
}
