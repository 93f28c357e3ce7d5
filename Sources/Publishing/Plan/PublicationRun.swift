import Cryptography
import Files

/// What names one publication in its list. Of two that began at once each knows by it whether the list at the target is
/// its own, also when both publish the same.
package struct PublicationRun: Equatable, Sendable {
    /// Random digits.
    let id: String
    /// The digest of the site that is to be there in the end.
    let site: String

    /// Names a new publication of a site.
    init(of site: SiteFolder) {
        let files = site.files.map { ($0.path, PublicationManifest.Entry(size: $0.size, sha256: $0.sha256)) }
        let list = PublicationManifest(
            isComplete: true, at: "", files: Dictionary(files, uniquingKeysWith: { first, _ in first }))
        (id, self.site) = (randomName(), contentHash(list.bytes))
    }

    /// Reads what a list says; nil when it says nothing of the kind.
    init?(id: String?, site: String?) {
        guard let id, let site, isDigest(id), isDigest(site) else { return nil }
        (self.id, self.site) = (id, site)
    }
}

/// Whether a text that comes from outside has digits of a digest and nothing else.
func isDigest(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isLowerHexadecimal) }

extension PublicationManifest {
    /// The list of another publication with all that this one did to the target meanwhile, unproven: the next
    /// publication sends or removes it. It is the list of none, so that the other one, if it is still under way, does
    /// not end as if it had been alone.
    ///
    /// - Parameters:
    ///   - other: nil when it cannot be read.
    ///   - sent: what this one put there, or may have.
    ///   - removed: what it removed, or may have.
    func merged(
        into other: PublicationManifest?, sent: some Sequence<SiteFile>,
        removed: some Sequence<PublishedPath>
    ) -> PublicationManifest {
        var list = other ?? self
        (list.isComplete, list.run) = (false, nil)
        for path in removed { list.files[path] = list.files[path]?.unproven() }
        for file in sent {
            list.files[file.path] = list.files[file.path]?.unproven(sending: file) ?? Entry(sending: file)
            list.files[file.path]?.isAwaited = false
        }
        return list
    }
}
