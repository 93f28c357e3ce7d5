import AppHealth

extension ReleasesSection {
    /// The release that a label names: the one that is written so, else the one of that version, such as `4.2.0` of the tag
    /// `v4.2`. Nil when there is none, or when several are of that version, so that the label names none of them.
    package func release(named label: String) -> ReleaseFacts? {
        if let exact = self[label] { return exact }
        let same = releases(ofVersion: label)
        return same.count == 1 ? same[0] : nil
    }

    /// The releases of the version that a label names, however they write it, newest first.
    package func releases(ofVersion label: String) -> [ReleaseFacts] { all.filter { $0.isNamed(label) } }
}

extension ReleaseFacts {
    /// Whether a label is another way to write its version, with the build or without.
    fileprivate func isNamed(_ name: String) -> Bool {
        // Metadata behind a plus has no order, but may be the build: that of another one is another release.
        let (own, other) = (metadata(of: label), metadata(of: name))
        if let own, let other, own != other { return false }
        return isSame(name, label) || isSame(name, release.version.description)
    }
}

/// `371` of `4.2.0+371`; nil without a plus.
private func metadata(of label: String) -> Substring? {
    label.firstIndex(of: "+").map { label[label.index(after: $0)...] }
}
