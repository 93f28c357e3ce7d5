import Analysis
package import Diagnostics
import Files

/// By what a file is known as the report of one app in one file.
enum SingleFileMark {
    private static let (opening, hiding, closing) = ("<!-- Single file by plimsoll", ", without: ", " -->")
    /// What the files of earlier versions have in their heads: the policy that admits their one style sheet.
    private static let policies = ["'none'; style-src 'sha256-", "&#39;none&#39;; style-src &#39;sha256-"]
    private static let longestHead = 2048

    /// The file with its mark: after the document type, without which a browser would draw it otherwise.
    ///
    /// - Parameter rules: by which the file leaves things out.
    static func put(into bytes: [UInt8], hiding rules: [RedactionRule] = []) -> [UInt8] {
        let names = rules.map(\.rawValue).joined(separator: ", ")
        let comment = Array((opening + (names.isEmpty ? "" : hiding + names) + closing + "\n").utf8)
        let start = String(decoding: bytes.prefix(64), as: UTF8.self).lowercased()
        guard start.hasPrefix("<!doctype"), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else {
            return comment + bytes
        }
        let rest = bytes[(end + 1)...].drop { $0 == UInt8(ascii: "\n") }
        return bytes[...end] + [UInt8(ascii: "\n")] + comment + rest
    }

    /// Whether a file has it. Only its beginning is read: a report with pictures may be of any size.
    static func isIn(_ path: String) throws(FileFailure) -> Bool {
        let file = try StoredFile(path)
        return isIn(try file.bytes(at: 0..<min(file.size, longestHead)))
    }

    /// Whether the bytes of a file have it.
    static func isIn(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(longestHead), as: UTF8.self)
        return head.contains(opening) || policies.contains(where: head.contains)
    }

    /// The names of the rules by which a file with the mark leaves things out; nil of any other file, and of the single
    /// files of earlier versions, which do not say.
    static func hiddenRules(in bytes: [UInt8]) -> [String]? {
        let head = String(decoding: bytes.prefix(longestHead), as: UTF8.self)
        guard let start = head.firstRange(of: opening)?.upperBound,
            let end = head[start...].firstRange(of: closing)?.lowerBound
        else { return nil }
        return head[start..<end].dropFirst(hiding.count).split(separator: ", ").map(String.init)
    }
}

/// The names of the rules by which the report of one app in one file leaves things out; nil of any other file, and of
/// those of earlier versions, which do not say.
package func hiddenRules(ofSingleFile bytes: [UInt8]) -> [String]? { SingleFileMark.hiddenRules(in: bytes) }

/// Why a single file cannot be in a site: it shows what the site hides, and whoever reads the site could read it.
func audienceProblem(of file: String, for audience: Audience, in site: String) -> Diagnostic? {
    guard let status = try? readFile("\(site)/\(siteMarker)"), let hidden = hiddenRules(by: status) else {
        return nil
    }
    let shown = Set(hidden).subtracting(audience.rules.map(\.rawValue)).sorted()
    guard !shown.isEmpty else { return nil }
    return .error(
        "build.audience", "The site in '\(site)' hides what the single file shows",
        details: shown.map { "shown: \(RedactionRule(rawValue: $0)?.words ?? printable($0))" }
            + ["nothing was written"],
        at: .file(path: file),
        hints: [
            "use '--output' with a file outside of the site",
            "or build the file for the audience of the site",
        ])
}

/// Whether a file is the report of one app in one file, which has its style sheet inside.
package func isSingleFile(_ bytes: [UInt8]) -> Bool { SingleFileMark.isIn(bytes) }

/// Why a single file cannot be written to a path: something else is there, and would be gone.
///
/// - Throws: that what is there cannot be read, so that it is not known.
package func singleFileProblem(at path: String) throws(Diagnostic) -> Diagnostic? {
    let another = "move it, or use '--output' with another file"
    switch pathKind(path, followsLink: false) {
    // What is no file is refused where it would be written.
    case .missing, .folder, .other: return nil
    case .link:
        return .error(
            "build.foreign-file", "'\(path)' is a link, and a single file replaces none",
            details: ["nothing was written"], at: .file(path: path),
            hints: ["use '--output' with the file that it leads to"])
    case .file:
        if try isSingleFile(path) { return nil }
        return .error(
            "build.foreign-file", "'\(path)' already exists and is not a single file of Plimsoll",
            details: ["nothing was written"], at: .file(path: path), hints: [another])
    }
}

/// Why a single file cannot get a name in a site: a page, or another file that stays there, has it.
///
/// - Throws: that what is there cannot be read, so that it is not known.
package func singleFileProblem(
    of name: String, in site: String, _ policy: OutputPolicy
) throws(Diagnostic) -> Diagnostic? {
    let path = "\(site)/\(name)"
    guard pathKind(path) == .file else { return nil }
    // What no build made is refused, or adopted, where the file is added.
    if let manifest = try? SiteManifest.read(in: site), manifest.files[name] == nil, !policy.keeps(name) {
        return nil
    }
    if try isSingleFile(path) { return nil }
    return .error(
        "build.foreign-file", "'\(path)' belongs to the site and is not a single file",
        details: ["nothing was written"], at: .file(path: path),
        hints: ["use '--output' with another file"])
}

private func isSingleFile(_ path: String) throws(Diagnostic) -> Bool {
    do throws(FileFailure) {
        return try SingleFileMark.isIn(path)
    } catch {
        var unread = error.diagnostic
        unread.details.append("nothing was written")
        throw unread
    }
}
