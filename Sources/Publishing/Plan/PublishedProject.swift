/// Whose site it is, by digests that give nothing away.
package struct PublishedProject: Equatable, Sendable {
    /// A digest that the archive of the project has and no other one; nil where there is none, or where it is not known.
    package var archive: String?
    /// A digest of the title and the address of the site; nil where they are not known.
    package var site: String?

    /// Names a project by its archive and its site.
    package init(archive: String?, site: String?) { (self.archive, self.site) = (archive, site) }

    /// What a list says, which comes from outside; nil when it names neither.
    init?(listedArchive archive: String?, site: String?) {
        let (archive, site) = (archive.flatMap(digest), site.flatMap(digest))
        guard archive != nil || site != nil else { return nil }
        self.init(archive: archive, site: site)
    }

    /// Whether it is surely another one: both archives are known and differ, and nothing says that the site is the same. A
    /// project keeps its archive under a new title, and its title with a new archive, as where each night begins without
    /// one.
    func isOther(than other: PublishedProject) -> Bool {
        guard let archive, let there = other.archive, archive != there else { return false }
        return site == nil || other.site == nil || site != other.site
    }

    /// The same, with what is known of it from another time.
    func completed(by other: PublishedProject?) -> PublishedProject {
        PublishedProject(archive: archive ?? other?.archive, site: site ?? other?.site)
    }
}

private func digest(_ text: String) -> String? { isDigest(text) ? text : nil }
