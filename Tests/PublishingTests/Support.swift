import Diagnostics
import Files
import Foundation
import Testing
import Transport

@testable import Publishing

/// A folder that is removed with the value.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
            + "/plimsoll-publishing-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ file: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path + "/" + file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// A file's text; nil when there is none.
    func text(_ file: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + file).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every file below a folder with its text, without what publications keep for themselves.
    func tree(_ folder: String = "") -> [String: String] {
        let root = folder.isEmpty ? path : "\(path)/\(folder)"
        var files: [String: String] = [:]
        for name in FileManager.default.subpaths(atPath: root) ?? [] {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
            guard !isFolder.boolValue, name != PublicationManifest.fileName else { continue }
            files[name] = FileManager.default.contents(atPath: "\(root)/\(name)").map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        return files
    }

    /// Writes a site with its manifest into a folder of that name.
    func site(_ files: [String: String], in name: String = "site", kept: [String] = []) throws -> SiteFolder {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        for (file, text) in files { try write("\(name)/\(file)", text) }
        let lines = files.filter { file in !kept.contains { file.key.hasPrefix($0) } }.map { file, text in
            let hash = contentHash(Array(text.utf8))
            let path = file.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return #"{"path":"\#(path)","size":\#(text.utf8.count),"sha256":"\#(hash)"}"#
        }
        let list = lines.sorted().joined(separator: ",\n")
        try write("\(name)/manifest.json", #"{"format":"plimsoll-manifest","version":1,"files":[\#(list)]}"#)
        return try SiteFolder("\(path)/\(name)", kept: kept)
    }
}

/// Two editions of a small site, whose pages lead to each other: some pages come, some go, and all others change.
enum Edition {
    static func files(_ edition: Int, pages count: Int = 12) -> [String: String] {
        let pages = (0..<count).map { "pages/p\($0 + edition * count / 3).html" }
        let sheet = "assets/style.\(edition)123456789.css"
        func page(_ links: [String]) -> String {
            ([sheet] + links).map { #"<a href="/\#($0)">\#(edition)</a>"# }.joined(separator: "\n")
        }
        var files = [
            sheet: "body {}", "index.html": page(pages + ["feed.xml", "logo.svg"]),
            "feed.xml": page(pages), "logo.svg": "<svg/>", "status.json": #"{"leavesOut":[]}"#,
        ]
        for (index, path) in pages.enumerated() {
            files[path] = page([pages[(index + 1) % pages.count], "index.html"])
        }
        return files
    }

    /// The links of what readers find from the entry page on that lead nowhere.
    static func brokenLinks(_ files: [String: String]) -> [String] {
        var (seen, ahead, broken): (Set<String>, [String], [String]) = (["index.html"], ["index.html"], [])
        while let path = ahead.popLast() {
            guard let text = files[path] else {
                // Before the first publication has come to its end there may be no entry page.
                if path != "index.html" { broken.append(path) }
                continue
            }
            for match in text.matches(of: /href="\/([^"]+)"/) where seen.insert(String(match.1)).inserted {
                ahead.append(String(match.1))
            }
        }
        return broken.sorted()
    }
}

/// A file of someone else's that a site has no room next to.
enum InTheWay: String, CaseIterable, Sendable {
    case fileForFolder, fileForOuterFolder, folderForFile, deepFolderForFile, later

    static let site = ["index.html": "1", "apps/x/index.html": "1", "feed.xml": "1"]

    var path: String {
        switch self {
        case .fileForFolder, .later: "apps/x"
        case .fileForOuterFolder: "apps"
        case .folderForFile: "feed.xml/mine.txt"
        case .deepFolderForFile: "feed.xml/a b/mine.txt"
        }
    }

    /// Whether it comes after a first publication.
    var isLater: Bool { self == .later }
}

/// What owners do to files that were published, before the site drops all of them but its entry page.
enum OwnerChanges {
    static let before = [
        "index.html": "1", "same.html": "theirs", "p/longer.html": "short", "p/equal.html": "Theirs",
        "p/folder.html": "x", "gone.html": "x",
    ]
    /// New texts; nil for a file that is removed.
    static let changes: [(path: String, text: String?)] = [
        ("p/longer.html", "changed by hand"), ("p/equal.html", "theirs"), ("p/folder.html", nil),
        ("p/folder.html/mine.txt", "mine"), ("gone.html", nil),
    ]
    /// Those of the changed files that are still there when the site has dropped them.
    static let kept: Set<PublishedPath> = ["p/longer.html", "p/equal.html"]
    /// What is there in the end, next to the manifest of the site.
    static let after = [
        "index.html": "2", "p/longer.html": "changed by hand", "p/equal.html": "theirs",
        "p/folder.html/mine.txt": "mine",
    ]

    /// Makes them in a folder of this machine.
    static func make(in folder: TestFolder, _ name: String) throws {
        for (path, text) in changes {
            guard let text else {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)/\(path)")
                continue
            }
            try folder.write("\(name)/\(path)", text)
        }
    }

    /// What is changed in a folder of this machine is still there when the site drops it.
    static func checkTheyStay(at target: any Target, _ folder: TestFolder, _ name: String) async throws {
        _ = await publishing(try folder.site(before), to: target)
        try make(in: folder, name)
        let outcome = await publishing(try folder.site(["index.html": "2"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.tree(name).filter { $0.key != SiteFolder.manifest } == after)
        checkTheyAreNamed(outcome)
    }

    /// What stays is counted and named; a folder in the place of a file may be.
    static func checkTheyAreNamed(_ outcome: PublicationOutcome) {
        #expect(Set(outcome.kept).subtracting(["p/folder.html"]) == kept)
        #expect(outcome.removedFiles == before.count - 1 - outcome.kept.count)
        let remark = outcome.remarks.first { $0.id == "publish.kept-changed" }
        #expect(remark?.severity == .warning)
        #expect(kept.allSatisfy { remark?.details.contains("was changed there: \($0)") == true })
    }
}

/// Whether file systems of this system take two names for two whenever their bytes differ; those of Macs do not.
let hasBytesForNames: Bool = {
    #if os(Linux)
        true
    #else
        false
    #endif
}()

/// Names that look alike and differ in their bytes: `ü` of one code point, and of two as Macs write it.
enum TwoForms {
    private static let composed: PublishedPath = "pictures/\u{FC}.png"
    private static let apart: PublishedPath = "pictures/u\u{308}.png"

    /// What the site has one time after the other: both, one, the other in its place, other bytes of it, none.
    private static let steps: [[PublishedPath: String]] = [
        [composed: "1", apart: "2"], [apart: "2"], [composed: "2"], [composed: "3"], [:],
    ]

    /// The files that the target has are those of the site, each time.
    ///
    /// - Parameter there: the files of the target with their texts.
    static func checkEachIsAFile(
        at target: any Target, _ there: () async throws -> [PublishedPath: String]
    ) async throws {
        let folder = try TestFolder()
        for (number, files) in steps.enumerated() {
            _ = try folder.site(["index.html": "\(number)"])
            try makeLocalFolder("\(folder.path)/site/pictures")
            for (path, text) in files {
                try createLocalFile("\(folder.path)/site/\(path)", Array(text.utf8))
            }
            let site = try SiteFolder("\(folder.path)/site", kept: ["pictures"])
            let outcome = await publishing(site, to: target) { $0.mostRemoved = nil }
            #expect(outcome.word == "published" && outcome.kept.isEmpty, "\(number): \(outcome.word)")
            #expect(try await there().filter { $0.key.folder == "pictures" } == files, "\(number)")
        }
    }

    /// The files below a folder of this machine.
    static func texts(_ folder: String) throws -> [PublishedPath: String] {
        let files = try folderEntries(folder).filter { $0.kind == .file }.map(\.path)
        return try Dictionary(
            uniqueKeysWithValues: files.map { path in
                let bytes = try readLocalFile("\(folder)/\(path)", limit: 1 << 20)
                return (PublishedPath(path), String(decoding: bytes, as: UTF8.self))
            })
    }
}

/// Sites one after the other in which folders become files, and files folders.
enum Turns {
    static let sites = [
        [
            "index.html": "0", "a/b/c/d.html": "1", "a/b/e.css": "1", "a/f.svg": "1", "g": "1",
            "h/i.html": "1",
            "assets/x/s.0123456789.css": "1",
        ],
        [
            "index.html": "1", "a": "2", "g/j.html": "2", "g/k/l.css": "2", "h/i.html/m.html": "2",
            "assets/x": "2",
        ],
        ["index.html": "2", "a/b": "3", "g": "3", "h": "3", "assets/x/s.0123456789.css": "3"],
    ]

    /// Publishes them to a folder of this machine, which then holds each, and what others put there.
    static func checkEachArrives(at target: any Target, _ folder: TestFolder, _ name: String) async throws {
        for (number, files) in sites.enumerated() {
            let outcome = await publishing(try folder.site(files), to: target) { $0.mostRemoved = nil }
            #expect(outcome.word == "published", "\(number): \(String(describing: outcome.failure))")
            if number > 0 { #expect(folder.text("\(name)/theirs.txt") == "mine") }
            #expect(folder.tree(name).filter { $0.key != "theirs.txt" } == folder.tree("site"), "\(number)")
            try folder.write("\(name)/theirs.txt", "mine")
        }
        // What somebody put into a folder of the site is not removed with it.
        try folder.write("\(name)/assets/x/mine.txt", "mine")
        let refused = await publishing(try folder.site(sites[1]), to: target) { $0.mostRemoved = nil }
        #expect(refused.failure?.details == ["is in the way: assets/x/mine.txt"], "\(refused.word)")
        #expect(folder.text("\(name)/assets/x/s.0123456789.css") == "3")
    }
}

/// Publishes, and gives what became of it.
func publishing(
    _ site: SiteFolder, to target: any Target, at instant: String = "2026-11-20T06:00:00Z",
    _ change: (inout PublicationOptions) -> Void = { _ in }
) async -> PublicationOutcome {
    var options = PublicationOptions(at: instant, mostRemoved: 60)
    change(&options)
    return await publish(site, to: target, options)
}

extension PublicationOutcome {
    /// How it ended in a word; of a failure its id.
    var word: String {
        switch state {
        case .published: "published"
        case .unchanged: "unchanged"
        case .planned: "planned"
        case .failed(let why): why.id
        }
    }
}

/// The diagnostic that something ends with; nil when it ends well.
func problem(_ work: () async throws -> Void) async -> Diagnostic? {
    do {
        try await work()
        return nil
    } catch {
        return error as? Diagnostic
    }
}

/// A publication that wrote its list and sent nothing.
enum BrokenPublication {
    /// What it was about to send, and somebody else put or changed in the folder `out`, is not taken for its own.
    static func checkItClaimsNothing(at target: any Target, _ folder: TestFolder) async throws {
        let first = try folder.site(["index.html": "1", "about.html": "1", "same.html": "1", "p.html": "1"])
        _ = await publishing(first, to: target)
        let second = try folder.site([
            "index.html": "2", "about.html": "2", "same.html": "2", "p.html": "2", "robots.txt": "2",
            "arrived.txt": "2", "a/arrived.txt": "2",
        ])
        let plan = PublicationPlan(second.files, over: try await target.lastPublication())
        let list = PublicationManifest(beginning: plan, at: "2026-11-20T06:00:00Z")
        try folder.write("out/\(PublicationManifest.fileName)", String(decoding: list.bytes, as: UTF8.self))
        try replaceLocalFile("\(folder.path)/out/about.html", Array("by hand".utf8))
        try replaceLocalFile("\(folder.path)/out/p.html", Array("2".utf8))
        try folder.write("out/robots.txt", "theirs")
        for name in ["arrived.txt", "a/arrived.txt"] { try folder.write("out/\(name)", "2") }
        let refused = await publishing(second, to: target)
        #expect(refused.failure?.details == ["would be replaced: robots.txt"], "\(refused.word)")
        #expect(folder.text("out/robots.txt") == "theirs")
        let outcome = await publishing(try folder.site(["index.html": "3"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(outcome.kept == ["about.html", "robots.txt"])
        #expect(folder.text("out/about.html") == "by hand" && folder.text("out/robots.txt") == "theirs")
        for name in ["same.html", "p.html", "arrived.txt", "a/arrived.txt"] {
            #expect(folder.text("out/\(name)") == nil)
        }
    }
}
