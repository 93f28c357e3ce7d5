import AppHealth
import Archive
import Configuration
import Files
import Publishing

extension Project {
    /// What tells this project from others in files that everybody may read.
    var publishedProject: PublishedProject {
        let site = [configuration.title, configuration.url ?? ""].joined(separator: "\n")
        return PublishedProject(
            archive: archiveDigest, site: contentHash(Array("plimsoll site \(site)".utf8)),
            id: configuration.id?.text)
    }

    /// A digest of the secret of the archive, which it does not give away. It is the same wherever the archive goes, and
    /// another one with a new archive. Nil where there is none, or one that an older version made.
    private var archiveDigest: String? {
        guard let held = try? Archive(at: archive, for: .reading) else { return nil }
        defer { try? held.close() }
        guard let secret = try? held.secret(), !secret.isEmpty else { return nil }
        return contentHash(Array("plimsoll publication ".utf8) + secret)
    }
}
