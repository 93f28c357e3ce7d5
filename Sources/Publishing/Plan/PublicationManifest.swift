package import Diagnostics
import Foundation

/// What a target holds that publications put there; it is kept at the target itself, as `fileName`.
///
/// While a publication is under way it lists everything that may be there already, so that whatever ends the
/// publication, the next one knows what belongs to it and what has to be sent again.
package struct PublicationManifest: Equatable, Sendable {
    /// One file at the target.
    package struct Entry: Equatable, Sendable {
        /// Bytes of the file on this machine.
        package var size: Int
        /// The SHA-256 of the file on this machine; nil when it is not known whether it arrived.
        package var sha256: String?
        /// What tells how it is served, such as its headers; empty where files are all alike.
        package var served: String
        /// Whether the site has it no longer, and pages that readers still have open may need it.
        package var isLeaving = false
        /// Whether no publication has brought it there for certain: it is still to arrive, or no response said that it did.
        package var isAwaited = false
        /// While the SHA-256 is not known, each that the file may have: of what was there, and of what was sent. Empty where
        /// an earlier version has not kept them.
        package var possible: [String] = []

        /// Makes an entry.
        package init(
            size: Int, sha256: String?, served: String = "", isLeaving: Bool = false, isAwaited: Bool = false,
            possible: [String] = []
        ) {
            (self.size, self.sha256, self.served) = (size, sha256, served)
            (self.isLeaving, self.isAwaited, self.possible) = (isLeaving, isAwaited, possible)
        }
    }

    /// The name of the file at the target.
    package static let fileName = ".plimsoll-publication.json"
    /// That name as a path.
    static let path = PublishedPath(fileName)
    /// The most bytes that are read of one.
    package static let mostBytes = 1 << 29

    /// Whether the publication that wrote it came to its end.
    package var isComplete: Bool
    /// When that publication began, as `2026-11-20T06:00:00Z`.
    package var at: String
    /// Which publication wrote it; nil where the target itself keeps one from replacing the list of another.
    package var run: PublicationRun?
    /// Whose site it is; nil where no publication knew it.
    package var project: PublishedProject?
    /// The files by their paths.
    package var files: [PublishedPath: Entry]

    /// Makes a manifest.
    package init(isComplete: Bool, at: String, files: [PublishedPath: Entry] = [:]) {
        (self.isComplete, self.at, self.files) = (isComplete, at, files)
    }

    /// Reads what a target keeps. It comes from outside: a path that could lead elsewhere makes it unreadable.
    package init(_ bytes: [UInt8], at place: String) throws(Diagnostic) {
        guard bytes.count <= Self.mostBytes,
            let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            written.format == format
        else { throw unreadable(place) }
        guard written.version == version else {
            throw .error(
                "publish.newer-manifest", "A newer version of plimsoll published to \(place)",
                hints: ["use that version, or a newer one"])
        }
        guard written.files.allSatisfy({ isSafePath($0.path) && $0.size >= 0 }) else {
            throw unreadable(place)
        }
        isComplete = written.complete
        at = printable(String(written.at.prefix(40)))
        run = PublicationRun(id: written.run, site: written.site)
        project = PublishedProject(listedArchive: written.project, site: written.title, id: written.id)
        files = Dictionary(
            written.files.map { file in
                let entry = Entry(
                    size: file.size, sha256: file.sha256, served: file.served ?? "",
                    isLeaving: file.leaving ?? false, isAwaited: file.awaited ?? false,
                    possible: file.possible ?? [])
                return (PublishedPath(file.path), entry)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The bytes of the file: one line for each file, in the order of the paths' bytes.
    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var out = Array(
            "{\n\"format\":\"\(format)\",\n\"version\":\(version),\n\"complete\":\(isComplete),\n\"at\":\"\(at)\",\n"
                .utf8)
        if let run { out += "\"run\":\"\(run.id)\",\n\"site\":\"\(run.site)\",\n".utf8 }
        if let archive = project?.archive { out += "\"project\":\"\(archive)\",\n".utf8 }
        if let site = project?.site { out += "\"title\":\"\(site)\",\n".utf8 }
        if let id = project?.id { out += "\"id\":\"\(id)\",\n".utf8 }
        out += "\"files\":[".utf8
        var separator = "\n"
        for (path, entry) in files.sorted(by: { $0.key < $1.key }) {
            let line = Written.File(
                path: path.text, size: entry.size, sha256: entry.sha256,
                served: entry.served.isEmpty ? nil : entry.served, leaving: entry.isLeaving ? true : nil,
                awaited: entry.isAwaited ? true : nil,
                possible: entry.possible.isEmpty ? nil : entry.possible)
            guard let bytes = line.plainBytes ?? (try? encoder.encode(line)).map(Array.init) else { continue }
            out += separator.utf8
            out += bytes
            separator = ",\n"
        }
        return out + Array("\n]\n}\n".utf8)
    }
}

private let format = "plimsoll-publication"
private let version = 1

private struct Written: Decodable {
    struct File: Codable {
        let path: String
        let size: Int
        let sha256: String?
        let served: String?
        let leaving: Bool?
        let awaited: Bool?
        let possible: [String]?

        /// What the encoder writes, much sooner; nil when a text needs escapes.
        var plainBytes: [UInt8]? {
            let texts = [path, served ?? "", sha256 ?? ""] + (possible ?? [])
            let isPlain = texts.allSatisfy { text in
                text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
            }
            guard isPlain else { return nil }
            var out = [UInt8(ascii: "{")]
            if let awaited { out += "\"awaited\":\(awaited),".utf8 }
            if let leaving { out += "\"leaving\":\(leaving),".utf8 }
            out += "\"path\":\"".utf8
            out += path.utf8
            out += "\"".utf8
            if let possible {
                out += ",\"possible\":[\"".utf8
                out += possible.joined(separator: "\",\"").utf8
                out += "\"]".utf8
            }
            if let served {
                out += ",\"served\":\"".utf8
                out += served.utf8
                out += "\"".utf8
            }
            if let sha256 {
                out += ",\"sha256\":\"".utf8
                out += sha256.utf8
                out += "\"".utf8
            }
            out += ",\"size\":\(size)}".utf8
            return out
        }
    }

    let format: String
    let version: Int
    let complete: Bool
    let at: String
    let run: String?
    let site: String?
    let project: String?
    let title: String?
    let id: String?
    let files: [File]
}

private func unreadable(_ place: String) -> Diagnostic {
    .error(
        "publish.damaged-manifest",
        "\(PublicationManifest.fileName) at \(place) cannot be read; nothing was published",
        hints: [
            "restore that file, or remove it and publish with '--adopt': nothing is removed then, and files of the same names are replaced"
        ])
}
