/// Whose site it is, by digests that give nothing away, and by the id that its owner chose.
package struct PublishedProject: Equatable, Sendable {
    /// A digest that the archive of the project has and no other one; nil where there is none, or where it is not known.
    package var archive: String?
    /// A digest of the title and the address of the site; nil where they are not known.
    package var site: String?
    /// The `id` of the project; nil where it has none.
    package var id: String?

    /// Names a project by its archive, its site and its id.
    package init(archive: String?, site: String?, id: String? = nil) {
        (self.archive, self.site, self.id) = (archive, site, id)
    }

    /// What a list says, which comes from outside; nil when it names none of them.
    init?(listedArchive archive: String?, site: String?, id: String?) {
        let (archive, site, id) = (archive.flatMap(digest), site.flatMap(digest), id.flatMap(plainID))
        guard archive != nil || site != nil || id != nil else { return nil }
        self.init(archive: archive, site: site, id: id)
    }

    /// Whether it is surely another one: both have an id and these differ, or else both archives are known and differ, and
    /// nothing says that the site is the same. A project keeps its archive under a new title, and its title with a new
    /// archive, as where each night begins without one. Of one that has an id, title and address say nothing: only the
    /// archive shows that it is the same.
    func isOther(than other: PublishedProject) -> Bool {
        if let id, let there = other.id { return id != there }
        guard let archive, let there = other.archive else { return other.id != nil }
        guard archive != there else { return false }
        return other.id != nil || site == nil || other.site == nil || site != other.site
    }

    /// The same, with what is known of it from another time. It has the id that it has now.
    func completed(by other: PublishedProject?) -> PublishedProject {
        PublishedProject(archive: archive ?? other?.archive, site: site ?? other?.site, id: id)
    }

    /// In what it differs from another one, whose site is at a place.
    func difference(from there: PublishedProject) -> String {
        guard let other = there.id else {
            return "that site was published with another archive, and has another title or url"
        }
        let isAnotherArchive = archive != nil && there.archive != nil
        let own =
            id.map { "this one is '\($0)'" }
            ?? "this one has no 'id'" + (isAnotherArchive ? ", and another archive" : "")
        return "that site is of the project '\(other)'; \(own)"
    }

    /// What to do where this is the project of the other one after all.
    func hint(toBe other: PublishedProject) -> String? {
        other.id.map { "if it is the same project, write 'id: \($0)' at the top of plimsoll.yml" }
    }
}

private func digest(_ text: String) -> String? { isDigest(text) ? text : nil }

/// An id as a configuration may have it: it is written into messages and lists.
private func plainID(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._-".utf8.contains(byte)
        }
    }
    return isPlain && (1...80).contains(text.utf8.count) ? text : nil
}
