import AppHealth
import Files
import Foundation

/// The snapshot files of a directory and of the directories directly in it, in the order of their paths.
struct SnapshotFolder {
    /// The files: paths as configured, and below the directory.
    struct Entry: Hashable, Sendable {
        var path: String
        var relative: String
        /// Why nothing is known of it, as of a directory that cannot be listed.
        var refusal: FileFailure?
    }

    let root: String
    private let realRoot: String

    /// Whether texts are tables too: a program whose tables are known may call them so.
    private let readsTexts: Bool

    /// Takes a directory; its own path may lead through links.
    init(_ path: String, readsTexts: Bool = false) {
        self.readsTexts = readsTexts
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        realRoot = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Lists the files, also those that cannot be read as their names are no text. Hidden ones are passed over, and links
    /// that lead out of the directory.
    func entries() throws(FilesError) -> [Entry] {
        var found: [Entry] = []
        let contents: FolderContents
        do throws(FileFailure) {
            contents = try FolderContents(of: root)
        } catch {
            throw .unlistable(path: root, reason: error.systemReason)
        }
        for name in contents.names where isVisible(name) { found += entries(name) }
        found += unreadable(contents, "")
        return found.sorted { $0.relative < $1.relative }
    }

    /// A file, the files of a directory, or why it is not known which; nothing for anything else.
    private func entries(_ name: String) -> [Entry] {
        do throws(FileFailure) {
            switch try kind(of: name) {
            case .file: return [Entry(path: "\(root)/\(name)", relative: name)]
            case .directory:
                let contents = try FolderContents(of: "\(root)/\(name)")
                return contents.names.filter(isVisible).flatMap { inner("\(name)/\($0)") }
                    + unreadable(contents, "\(name)/")
            case .neither: return []
            }
        } catch {
            // The file of an unknown name in it: whose it would be is said by the name of the directory.
            return [Entry(path: "\(root)/\(name)", relative: "\(name)/.", refusal: error)]
        }
    }

    private func inner(_ relative: String) -> [Entry] {
        let entry = Entry(path: "\(root)/\(relative)", relative: relative)
        do throws(FileFailure) {
            return try kind(of: relative) == .file ? [entry] : []
        } catch {
            return [Entry(path: entry.path, relative: relative, refusal: error)]
        }
    }

    /// The first visible files that are none by their names, and folders that lie deeper than any file that is read.
    func passedOver(most: Int) -> [String] {
        var found: [String] = []
        for name in visibleNames(in: "") where found.count < most {
            switch pathKind("\(root)/\(name)", followsLink: false) {
            case .file where !isNamedAsRead(name): found.append(name)
            case .folder:
                for inner in visibleNames(in: "\(name)/") where found.count < most {
                    let kind = pathKind("\(root)/\(name)/\(inner)", followsLink: false)
                    if kind == .folder { found.append("\(name)/\(inner)/") }
                    if kind == .file, !isNamedAsRead(inner) { found.append("\(name)/\(inner)") }
                }
            default: break
            }
        }
        return found
    }

    private func visibleNames(in relative: String) -> [String] {
        let names = try? FolderContents(of: "\(root)/\(relative)").names.prefix(Self.mostNames)
        return names?.filter(isVisible) ?? []
    }

    /// The most names of a folder that are searched for one that is not read.
    private static let mostNames = 1000

    private enum Kind {
        case file
        case directory
        case neither
    }

    private func isVisible(_ name: String) -> Bool { !name.hasPrefix(".") }

    /// The files of a directory that would be read if their names were text.
    private func unreadable(_ contents: FolderContents, _ directory: String) -> [Entry] {
        contents.unreadable.filter { isVisible($0) && isNamedAsRead($0) }.map { name in
            let path = "\(root)/\(directory)\(name)"
            return Entry(path: path, relative: directory + name, refusal: .unreadableName(path))
        }
    }

    /// Whether the name of a file ends as those of snapshots do.
    private func isNamedAsRead(_ name: String) -> Bool {
        let name = uncompressedName(name).lowercased()
        return ([".json", ".csv", ".tsv"] + (readsTexts ? [".txt"] : [])).contains { name.hasSuffix($0) }
    }

    /// Only links can lead out of the directory: what is none is where its name says.
    private func kind(of relative: String) throws(FileFailure) -> Kind {
        let path = "\(root)/\(relative)"
        var type = pathKind(path, followsLink: false)
        switch type {
        case .link:
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard real.hasPrefix(realRoot == "/" ? "/" : "\(realRoot)/") else { return .neither }
            type = try knownKind(real)
        case .missing: type = try knownKind(path)
        case .file, .folder, .other: break
        }
        if type == .folder { return .directory }
        return type == .file && isNamedAsRead(relative) ? .file : .neither
    }
}

/// The name of a file without the ending of gzip.
private func uncompressedName(_ name: String) -> String {
    name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
}

/// What the path of a snapshot file means by the convention `<app>/<date>.json` or `<app>-<date>.json`.
struct SnapshotFileName {
    private let parent: String
    private let stem: String
    /// Whether it is a table of days.
    let isTable: Bool

    /// Reads a path below the source directory, such as `sketchbook/2026-11-20.json`.
    init(_ path: String) {
        let parts = path.split(separator: "/")
        let name = uncompressedName(parts.last.map(String.init) ?? "")
        let lowercased = name.lowercased()
        isTable = [".csv", ".tsv", ".txt"].contains { lowercased.hasSuffix($0) }
        stem =
            isTable
            ? String(name.dropLast(4)) : lowercased.hasSuffix(".json") ? String(name.dropLast(5)) : name
        parent = parts.dropLast().last.map(String.init) ?? ""
    }

    /// Whether the path names this app. `sketch-book-2026-11-20.json` is not about `sketch`.
    func belongs(to app: Slug) -> Bool {
        if parent == app.text || stem == app.text { return true }
        guard stem.hasPrefix("\(app.text)-") else { return false }
        return stem.dropFirst(app.text.utf8.count + 1).first?.isNumber == true
    }

    /// Whether the path names some app, by its directory or before the time in its name. A name that is no text, with its
    /// bytes as `\xfc`, is no app's.
    var namesAnApp: Bool {
        !parent.isEmpty || (time != nil && stem.first?.isNumber == false && !stem.contains("\\"))
    }

    /// The names of apps of which the path may be: its directory, its name, and what is before each number in it.
    var apps: Set<String> {
        var names: Set = [parent, stem]
        for index in stem.indices where stem[index] == "-" {
            if stem[stem.index(after: index)...].first?.isNumber == true {
                names.insert(String(stem[..<index]))
            }
        }
        return names.subtracting([""])
    }

    /// What files of one app have in common by the convention: the directory, or the name before its time.
    var series: String {
        guard parent.isEmpty else { return parent }
        return ending.map { String(String.UnicodeScalarView(stem.unicodeScalars.prefix($0.start))) } ?? stem
    }

    /// The time at the end of the name: `2026-11-20`, `2026-11-20T06-00-00Z`, `2026-11-20T060000Z`.
    var time: Instant? { ending?.time }

    /// The time at the end of a name that has it in another form or behind another sign, such as `my_app_2026-11-20` and
    /// `my-app-20261120`. It says which of several files is newer, not whose they are: a name of many kinds may end so.
    var otherTime: Instant? {
        guard ending == nil else { return nil }
        let scalars = Array(stem.unicodeScalars.suffix(Self.longestEnding))
        for start in scalars.indices where start == 0 || "-_. ".unicodeScalars.contains(scalars[start - 1]) {
            let text = String(String.UnicodeScalarView(scalars[start...]))
            if let time = instant(text) ?? instant(dashed(text)) {
                return (2000..<2100).contains(time.date.components.year) ? time : nil
            }
        }
        return nil
    }

    /// More scalars than a time has.
    private static let longestEnding = 40

    /// `2026-11-20T0630Z` for `20261120T0630Z`.
    private func dashed(_ text: String) -> String {
        let day = text.prefix(8)
        guard day.utf8.count == 8, wholeNumber(day) != nil else { return text }
        return "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))\(text.dropFirst(8))"
    }

    private var ending: (start: Int, time: Instant)? {
        let scalars = Array(stem.unicodeScalars)
        for start in scalars.indices where start == 0 || scalars[start - 1] == "-" {
            let text = String(String.UnicodeScalarView(scalars[start...]))
            if let time = instant(text) { return (start, time) }
        }
        return nil
    }

    private func instant(_ text: String) -> Instant? {
        if let date = CivilDate(text) { return Instant(startOf: date) }
        let halves = text.split(separator: "T", maxSplits: 1)
        guard halves.count == 2, halves[1].last == "Z" else { return nil }
        let digits = halves[1].dropLast().filter { $0 != "-" && $0 != ":" }
        guard digits.utf8.count == 6 || digits.utf8.count == 4 else { return nil }
        let full = Array(digits + (digits.utf8.count == 4 ? "00" : ""))
        return Instant("\(halves[0])T\(full[0])\(full[1]):\(full[2])\(full[3]):\(full[4])\(full[5])Z")
    }
}
