package import Diagnostics
import Glibc

/// The file by which programs ask for the state of a site.
package let siteMarker = "status.json"

/// Whether a folder holds a site that this program made.
package func holdsSite(_ folder: String) -> Bool {
    if SiteManifest.read(in: folder) != nil { return true }
    guard let entries = try? folderEntries(folder) else { return false }
    return LegacySite(folder, entries) != nil
}

/// Puts one more file into a site that stands, and into its manifest, so that the next build knows it.
///
/// - Throws: `site.foreign-file` when another file that no build made has the name.
package func addFile(
    _ path: String, _ bytes: [UInt8], toSite site: String, _ policy: OutputPolicy
) throws(Diagnostic) {
    let site = targetOfLink(site)
    let lock = try lockSite(site, waiting: policy.waitSeconds)
    defer { withExtendedLifetime(lock) {} }
    let file = "\(site)/\(path)"
    guard var manifest = SiteManifest.read(in: site), !policy.keeps(path) else {
        return try telling { () throws(FileFailure) in try replaceFile(file, bytes) }
    }
    var status = stat()
    if lstat(file, &status) == 0, !policy.adopts {
        let old = try telling { () throws(FileFailure) in SiteManifest.File(try readFile(file, limit: .max)) }
        guard manifest.files[path] == old else {
            throw .error(
                "site.foreign-file", "'\(file)' is there already, and no build made it as it is",
                at: .file(path: file),
                hints: [
                    "move it to another place, or name another file with '--output'",
                    "or run it again with '--adopt': the file is replaced",
                ])
        }
    }
    manifest.files[path] = SiteManifest.File(bytes)
    let record = manifest.bytes
    try telling { () throws(FileFailure) in
        try replaceFile(file, bytes)
        try replaceFile("\(site)/\(SiteManifest.name)", record)
    }
}
