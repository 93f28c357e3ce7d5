import CLinux
package import Diagnostics
import Glibc

/// A site being written beside the one that visitors see; it takes its place by one rename.
///
/// Killed at any moment, the old site stands whole: everything is written to a folder beside it, whose name
/// carries the process id, and a later build removes what a dead process left.
package struct StagedSite: Sendable {
    /// The folder of the site.
    package let output: String
    /// The folder that is written to.
    let staging: String

    /// Makes an empty staging folder beside the site.
    ///
    /// - Throws: a `Diagnostic` when the place holds something that is not a site, or cannot be written.
    package init(output: String) throws(Diagnostic) {
        // A link stays: what it leads to is replaced.
        let trimmed = targetOfLink(
            output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output)
        self.output = trimmed
        let (parent, name) = split(trimmed)
        self.staging = "\(parent)/.\(name).staging-\(getpid())"
        try refuseForeignFolder(trimmed)
        do throws(FileFailure) {
            try makeFolder(parent)
            removeLeftovers(in: parent, of: name, putBackTo: trimmed)
            try makeFolder(staging)
        } catch {
            throw error.diagnostic
        }
    }

    /// Writes a file of the site; folders are made as needed.
    func write(_ path: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
        let whole = staging + "/" + path
        do throws(FileFailure) {
            try writeFile(whole, bytes)
        } catch {
            guard error.isMissing, let slash = whole.lastIndex(of: "/") else { throw error }
            try makeFolder(String(whole[..<slash]))
            try writeFile(whole, bytes)
        }
    }

    /// Puts the new site in the place of the old one by one rename and removes the old one.
    func swapIn() throws(FileFailure) {
        guard pathKind(output) != .missing else {
            guard rename(staging, output) == 0 else { throw FileFailure("move the new site to", output) }
            return
        }
        if clinux_exchange(staging, output) == 0 {
            try? removeFolder(staging)
            return
        }
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else {
            throw FileFailure("move the new site to", output)
        }
        try swapInTwoSteps()
    }

    /// Removes what was written; the old site stands.
    func abandon() {
        try? removeFolder(staging)
    }

    /// For file systems that cannot exchange two folders: between the two renames there is no site for a moment.
    private func swapInTwoSteps() throws(FileFailure) {
        let old = staging + ".old"
        guard rename(output, old) == 0 else { throw FileFailure("move the old site from", output) }
        guard rename(staging, output) == 0 else {
            let failure = FileFailure("move the new site to", output)
            _ = rename(old, output)
            throw failure
        }
        try? removeFolder(old)
    }
}

/// The folder above a path and its last part.
private func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    return (parent, String(path[path.index(after: slash)...]))
}

/// A folder with something in it that this program did not make is never replaced.
private func refuseForeignFolder(_ output: String) throws(Diagnostic) {
    let kind = pathKind(output)
    if kind == .missing { return }
    let names = (try? folderNames(output)) ?? ["?"]
    guard kind == .folder, names.isEmpty || names.contains(siteMarker) else {
        throw Diagnostic.error(
            "site.foreign-folder", "'\(output)' holds something that is not a site of plimsoll",
            at: .file(path: output), hints: ["choose an empty or a new folder with 'output'"])
    }
}

/// The file by which a site is known.
package let siteMarker = "status.json"

/// Removes staging folders whose process is gone; a site that such a process had only moved aside is put back.
private func removeLeftovers(in parent: String, of name: String, putBackTo output: String) {
    let prefix = ".\(name).staging-"
    for entry in (try? folderNames(parent)) ?? [] where entry.hasPrefix(prefix) {
        let digits = entry.dropFirst(prefix.count).prefix { $0.isNumber }
        guard let process = Int32(digits), process != getpid(), kill(process, 0) != 0, errno == ESRCH else {
            if digits == "\(getpid())" { try? removeFolder(parent + "/" + entry) }
            continue
        }
        if entry.hasSuffix(".old"), pathKind(output) == .missing, rename(parent + "/" + entry, output) == 0 {
            continue
        }
        try? removeFolder(parent + "/" + entry)
    }
}
