package import AppHealth

extension ReleasesSection {
    /// The release that a name is of: the one that is written so, else the one of that version, such as `4.2.0` of the tag
    /// `v4.2`, or `4.2 (370)` of `4.2`. Nil when there is none, or when several are of that version, so that the name is of
    /// none of them.
    package func release(named name: String) -> ReleaseFacts? {
        all.map(\.release.version).one(named: name).flatMap { self[$0.label] }
    }

    /// The releases of the version that a name is of, however they write it, newest first.
    package func releases(ofVersion name: String) -> [ReleaseFacts] {
        all.map(\.release.version).named(name).compactMap { self[$0.label] }
    }
}

extension [Version] {
    /// The one with this label, else the only one of the version that a name is of.
    package func one(named name: String) -> Version? {
        if let exact = first(where: { $0.label == name }) { return exact }
        let same = named(name)
        return same.count == 1 ? same[0] : nil
    }

    /// Those of the version that a name is of: other ways to write it, with the build or without. Where there is none, a
    /// name without a build is that of all its builds.
    package func named(_ name: String) -> [Version] {
        let written = filter { $0.isWritten(name) }
        guard written.isEmpty, metadata(of: name) == nil else { return written }
        let version = Version(name)
        return filter { $0.isBuild(of: version) }
    }
}

extension Version {
    /// Whether a name is another way to write it, with the build or without.
    fileprivate func isWritten(_ name: String) -> Bool {
        // Metadata behind a plus has no order, but may be the build: that of another one is another release.
        let (own, other) = (metadata(of: label), metadata(of: name))
        if let own, let other, own != other { return false }
        return isSame(name, label) || isSame(name, description)
    }
}

/// `371` of `4.2.0+371`; nil without a plus.
private func metadata(of label: String) -> Substring? {
    label.firstIndex(of: "+").map { label[label.index(after: $0)...] }
}
