import Diagnostics
import Files

/// A folder with the demo: a project like any other, with a configuration, data, content, an archive and a site.
struct DemoFolder {
    let path: String

    /// The configuration in it.
    var configuration: String { place(Self.configurationName) }

    private static let configurationName = "plimsoll.yml"
    private static let mark =
        "# Made by 'plimsoll demo', which makes it again while nothing below is changed: "

    /// What a demo writes at the top of its folder.
    private static let names = [configurationName, story, "archive.sqlite", "site", "data", "Content"]
    /// What describes the data.
    static let story = "STORY.md"

    private func place(_ name: String) -> String { "\(path)/\(name)" }

    /// Why no demo can be made here: something is in its place that no demo made, or that was changed since.
    func refusal(of demo: DemoFiles) throws(FileFailure) -> Diagnostic? {
        guard try isOwn() else { return try namesThere().first.map(foreign) }
        // What a demo without a record wrote is unknown: 'fill' copies what it replaces.
        guard let record = try DemoRecord(in: path) else { return nil }
        let changed = try changedFiles(demo, since: record)
        return changed.isEmpty ? nil : changedRefusal(changed)
    }

    private func foreign(_ name: String) -> Diagnostic {
        .error(
            "demo.not-a-demo", "'\(place(name))' was not made by this demo; nothing was written",
            at: .file(path: place(name)),
            hints: ["use '--output' with another folder", "or remove this one, if it holds an old demo"])
    }

    private func changedRefusal(_ changed: [String]) -> Diagnostic {
        let others = changed.dropFirst().prefix(Self.mostNamed).map { "changed too: '\(place($0))'" }
        let more = changed.count - 1 - others.count
        return .error(
            "demo.changed", "'\(place(changed[0]))' was changed; nothing was written",
            details: others + (more > 0 ? ["and \(more) more"] : []), at: .file(path: place(changed[0])),
            hints: [
                "use '--output' with another folder",
                "or move what was changed out of this one, to have it made again",
            ])
    }

    /// The most changed files that a message names after the first.
    private static let mostNamed = 9

    /// What is in the folder, such as the pages of a site: first what a demo would write over. Hidden files stay.
    private func namesThere() throws(FileFailure) -> [String] {
        guard try knownKind(path) != .missing else { return [] }
        let names = try folderNames(path).filter { !$0.hasPrefix(".") }
        return Self.names.filter(names.contains) + names.filter { !Self.names.contains($0) }
    }

    /// Whether a demo made the configuration, and no one changed it.
    private func isOwn() throws(FileFailure) -> Bool {
        guard try knownKind(configuration) == .file else { return false }
        let bytes = try readFile(configuration, limit: 1 << 20)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        return Array(bytes[..<end]) == Self.firstLine(above: bytes[(end + 1)...])
    }

    private static func firstLine(above rest: some Collection<UInt8>) -> [UInt8] {
        Array((mark + contentHash(rest)).utf8)
    }

    /// The files that a demo would replace and that are neither its own nor as an earlier one wrote them.
    private func changedFiles(
        _ demo: DemoFiles, since record: DemoRecord
    ) throws(FileFailure) -> [String] {
        var changed: [String] = []
        for file in demo.files {
            let kind = try knownKind(place(file.path))
            if kind == .missing { continue }
            if kind == .file {
                let bytes = try readFile(place(file.path))
                if bytes == file.bytes || record.holds(contentHash(bytes), at: file.path) { continue }
            }
            changed.append(file.path)
        }
        return changed
    }
}

// MARK: - Writing

extension DemoFolder {
    /// Writes the configuration, then what it speaks of; killed in between, the folder is still known as a demo's.
    ///
    /// - Returns: what to say of a demo of an earlier version, some of whose files are not those of this one.
    func fill(with demo: DemoFiles) throws(FileFailure) -> Diagnostic? {
        try makeFolder(path)
        let earlier = try recordOrCopies(demo)
        var record = earlier.record
        let head = Self.firstLine(above: demo.configuration) + [UInt8(ascii: "\n")]
        try replaceFile(configuration, head + demo.configuration)
        var written = DemoRecord()
        for file in demo.files {
            let digest = contentHash(file.bytes)
            record.add(digest, at: file.path)
            written.add(digest, at: file.path)
        }
        try record.keep(in: path)
        for file in demo.files {
            try makeFolder(splitPath(place(file.path)).folder)
            try replaceFile(place(file.path), file.bytes, isDurable: false)
        }
        try written.keep(in: path)
        return earlier.kept
    }

    /// What the last demo wrote. Where it kept no record, files that differ from those of this one are copied before they
    /// are replaced: they may be of an earlier version, or have been changed.
    private func recordOrCopies(
        _ demo: DemoFiles
    ) throws(FileFailure) -> (record: DemoRecord, kept: Diagnostic?) {
        if let record = try DemoRecord(in: path) { return (record, nil) }
        var record = DemoRecord()
        let replaced = try changedFiles(demo, since: record)
        guard let first = replaced.first else { return (record, nil) }
        let copies = try freeName()
        for file in replaced {
            let bytes = try readFile(place(file))
            try makeFolder(splitPath("\(copies)/\(file)").folder)
            try replaceFile("\(copies)/\(file)", bytes)
            record.add(contentHash(bytes), at: file)
        }
        return (
            record,
            .warning(
                "demo.replaced",
                "Replaced \(counted(replaced.count, "file")) of a demo of an earlier version; copies are in '\(copies)'",
                details: ["the first one: '\(place(first))'"], at: .file(path: copies),
                hints: ["remove them, unless you changed some"])
        )
    }

    /// A folder for copies that is not there yet.
    private func freeName() throws(FileFailure) -> String {
        var (name, number) = (place("before"), 1)
        while try knownKind(name) != .missing {
            number += 1
            name = place("before-\(number)")
        }
        return name
    }
}
