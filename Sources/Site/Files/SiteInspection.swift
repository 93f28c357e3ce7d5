package import Configuration
import Diagnostics
import Files
import Platform

/// What is in the folder of a site before a build replaces it, file by file.
struct SiteInspection: Sendable {
    /// Whose a file is.
    enum Owner: Sendable {
        /// A build made it, and it is as the build left it: it may go.
        case build
        /// It stays, whatever is built.
        case kept
        /// A build made it, and somebody changed it since.
        case changed
        /// No build made it.
        case foreign
    }

    /// What is in the folder, each folder before what is in it.
    private(set) var entries: [FolderEntry] = []
    /// Whose each entry is, in their order; folders have none.
    private var owners: [Owner?] = []
    /// The files that would be lost: what no build made, then what somebody changed.
    private(set) var lost: [String] = []
    /// How many of the files in the manifest are as a build would leave them.
    private var unchangedCount = 0
    /// Whether a build made the folder.
    private(set) var isSite = false
    /// What the manifest says of each entry, in their order.
    private var files: [SiteManifest.File?] = []
    /// How many files the manifest has; nil when there is none.
    private var manifestCount: Int?
    private var manifestDigest: String?
    private var places: [String: Int] = [:]
    /// The rights of files that a build writes; nil where any will do.
    private var fileMode: mode_t?

    /// A folder that does not exist.
    init() {}

    /// Looks at every file; one that the manifest knows is read, unless an earlier look saw the same file.
    ///
    /// - Parameters:
    ///   - linked: the files that have got another name since the earlier look, which is a change of its own.
    ///   - known: what the files were like when a build had written them.
    ///   - manifest: the manifest, where the folder may have none any more.
    ///   - fileMode: the rights of files that the present build writes: one with others is not taken for its own.
    init(
        _ folder: String, _ policy: OutputPolicy, after earlier: SiteInspection? = nil,
        linked: Set<String> = [], known: [String: FileStamp] = [:], manifest given: [UInt8]? = nil,
        fileMode: mode_t? = nil
    ) throws(FileFailure) {
        self.fileMode = fileMode
        guard try knownKind(folder) == .folder else { return }
        var written = given
        if written == nil { written = try SiteManifest.readBytes(in: folder) }
        manifestDigest = written.map { contentHash($0) }
        let manifest = written.flatMap(SiteManifest.init(bytes:))
        // A page has a folder of its own with two files or more.
        let expected = earlier?.entries.count ?? (manifest?.files.count ?? 0) * 3 / 2
        entries = try folderEntries(folder, expected: expected)
        let legacy = manifest == nil ? LegacySite(folder, entries) : nil
        isSite = manifest != nil || legacy != nil
        reserve(for: manifest)
        for place in entries.indices {
            let (before, own) = share(place, earlier, manifest)
            files.append(own)
            let entry = entries[place]
            places[entry.path] = place
            owners.append(nil)
            if entry.kind == .folder { continue }
            if policy.keeps(entry.path) {
                owners[place] = .kept
            } else if let earlier, let before,
                linked.contains(entry.path)
                    ? earlier.entries[before].stamp.isOfSameBytes(as: entry.stamp)
                    : earlier.entries[before].stamp == entry.stamp
            {
                owners[place] = earlier.owners[before]
            } else if let file = own, let stamp = known[entry.path],
                entry.kind == .file,
                stamp.isOfSameBytes(as: entry.stamp), stamp.size == file.size
            {
                owners[place] = .build
            } else if let manifest {
                owners[place] = try Site.owner(of: entry, manifest, folder)
            } else {
                owners[place] = legacy?.owns(entry) == true ? .build : .foreign
            }
            if file(at: place) != nil { unchangedCount += 1 }
        }
        lost = paths(.foreign) + paths(.changed)
    }

    private mutating func reserve(for manifest: SiteManifest?) {
        manifestCount = manifest?.files.count
        places.reserveCapacity(entries.count)
        owners.reserveCapacity(entries.count)
        files.reserveCapacity(entries.count)
    }

    /// Lets the path of an entry be the text that another look or the manifest has of it: a site has tens of thousands,
    /// and none is there more than once.
    ///
    /// - Returns: the place of the entry at the earlier look, and what the manifest says of it.
    private mutating func share(
        _ place: Int, _ earlier: SiteInspection?, _ manifest: SiteManifest?
    ) -> (before: Int?, own: SiteManifest.File?) {
        let path = entries[place].path
        // Names that are equal as texts may have other bytes: these are other files.
        let before = earlier?.places.index(forKey: path).flatMap { place in
            hasSameBytes(path, earlier?.places[place].key) ? place : nil
        }
        let own = manifest?.files.index(forKey: path).flatMap { place in
            hasSameBytes(path, manifest?.files[place].key) ? place : nil
        }
        if let earlier, let before {
            entries[place].path = earlier.places[before].key
        } else if let manifest, let own {
            entries[place].path = manifest.files[own].key
        }
        return (
            before.flatMap { earlier?.places[$0].value }, own.flatMap { manifest?.files[$0].value }
        )
    }

    /// Whether a build made the entry at a place, a file of its manifest, and no one changed it since.
    func isMade(at place: Int) -> Bool { owners[place] == .build && files[place] != nil }

    /// What the manifest says of such an entry, when a file that is made now has the same rights.
    func file(at place: Int) -> SiteManifest.File? {
        isMade(at: place) && entries[place].rights.mode == fileMode ?? entries[place].rights.mode
            ? files[place] : nil
    }

    /// A digest of the manifest, when the folder is just as the build that wrote it left it; nil otherwise.
    var digest: String? {
        lost.isEmpty && unchangedCount == manifestCount ?? 0 ? manifestDigest : nil
    }

    /// Whose a file is; nil for a folder, and where there is nothing.
    func owner(of path: String) -> Owner? { places[path].flatMap { owners[$0] } }

    /// The paths of the files of an owner, in order.
    func paths(_ owner: Owner) -> [String] {
        zip(entries, owners).filter { $1 == owner }.map(\.0.path)
    }
}

private func owner(
    of entry: FolderEntry, _ manifest: SiteManifest, _ folder: String
) throws(FileFailure) -> SiteInspection.Owner {
    if entry.path == SiteManifest.name { return entry.kind == .file ? .build : .changed }
    guard let file = manifest.files[entry.path] else { return .foreign }
    guard entry.kind == .file, entry.stamp.size == file.size else { return .changed }
    let bytes = try readFile("\(folder)/\(entry.path)", limit: .max)
    return ContentDigest(of: bytes) == file.digest ? .build : .changed
}

/// Whether a file has more than one name: what is written under one is read under all of them.
private func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_nlink > 1
}

/// How many files a diagnostic names.
private let namedFiles = 40

extension SiteInspection {
    /// Why a build must not replace the folder; nil when nothing would be lost.
    func refusal(of output: String) -> Diagnostic? {
        if lost.isEmpty { return nil }
        let keep = "list what is to stay under 'keep' in the configuration"
        let adopt = "or run it again with '--adopt': it replaces the folder, and what is listed is gone"
        guard isSite else {
            return .error(
                "site.foreign-folder", "'\(output)' is not a Plimsoll site", details: lostLines,
                at: .file(path: output),
                hints: ["use an empty folder for 'output'", keep, adopt])
        }
        return .error(
            "site.changed-files", "'\(output)' has files added or changed since the last build",
            details: lostLines, at: .file(path: output),
            hints: ["move them to another place, or into the theme", keep, adopt] + sharedHints(of: output))
    }

    /// What is reported before a folder is taken over; nil when nothing is lost.
    func takeover(of output: String) -> Diagnostic? {
        if lost.isEmpty { return nil }
        return .warning(
            "site.adopted", "'\(output)' is replaced; files no build made are removed",
            details: lostLines, at: .file(path: output))
    }

    /// What may have happened to a changed file that has other names, and how to go on.
    private func sharedHints(of output: String) -> [String] {
        guard paths(.changed).contains(where: { hasOtherNames("\(output)/\($0)") }) else { return [] }
        return [
            "if one was edited in the folder of a publish target 'to: folder', which shares its files: set 'copies: true' there, then build with '--adopt'"
        ]
    }

    private var lostLines: [String] {
        let lines =
            paths(.foreign).map { (isSite ? "added: " : "would go: ") + $0 }
            + paths(.changed).map { "changed: \($0)" }
        let more = lines.count - namedFiles
        return lines.prefix(namedFiles) + (more > 0 ? ["and \(more) more"] : [])
    }
}

/// What a build may do to the folder that it writes into.
package struct OutputPolicy: Sendable {
    /// Files and folders that stay in the site whatever is built, by their paths from its top, next to those that
    /// always stay.
    package var kept: [String]
    /// Whether files that no build made may be removed.
    package var adopts: Bool
    /// How many seconds to wait while another build writes the same site.
    package var waitSeconds: Int
    /// Whether most pages of an app may go.
    package var loses = false
    /// How the new site takes the place of the old one.
    package var swap: SiteSwap

    /// What hosts and repositories keep in a site.
    package static let alwaysKept = [".git", "CNAME", ".nojekyll", ".well-known"]

    /// Makes a policy.
    package init(
        kept: [String] = [], adopts: Bool = false, waitSeconds: Int = 0, swap: SiteSwap = .folder
    ) {
        self.swap = swap
        self.kept = kept
        self.adopts = adopts
        self.waitSeconds = waitSeconds
    }

    private var allKept: [String] { Self.alwaysKept + kept }

    /// Those of the paths under which it has what stays that some of it has.
    func names(of stays: [FolderEntry]) -> [String] {
        let paths = Set(stays.map(\.path))
        return allKept.filter(paths.contains)
    }

    /// The paths of what stays, as far as it is in a folder.
    func keptPaths(in folder: String) -> [String] {
        allKept.filter { pathKind("\(folder)/\($0)", followsLink: false) != .missing }
    }

    /// Whether a path in the site stays.
    package func keeps(_ path: String) -> Bool {
        func holds(_ name: String) -> Bool {
            path.utf8.starts(with: name.utf8)
                && (path.utf8.count == name.utf8.count
                    || path.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "/"))
        }
        return allKept.contains(where: holds)
    }
}

private func hasSameBytes(_ path: String, _ other: String?) -> Bool {
    other.map { path.utf8.elementsEqual($0.utf8) } ?? false
}
