// What a list says of a file while it is not known which bytes are there.

extension PublicationManifest.Entry {
    /// The most digests that are kept of one file: one more for each broken publication.
    private static let mostPossible = 8

    /// A file that no publication put there so far, and that one sends now.
    init(sending file: SiteFile) {
        self.init(size: file.size, sha256: nil, isAwaited: true, possible: [file.sha256])
    }

    /// Whether anything is known of the bytes.
    var isComparable: Bool { sha256 != nil || !possible.isEmpty }

    /// Whether a file with this digest is what a publication put there. Where nothing is known of the bytes, any is.
    func isOf(_ digest: String) -> Bool {
        if let sha256 { return sha256 == digest }
        return possible.isEmpty || possible.contains(digest)
    }

    /// The same while what was there may be there, or what is sent now.
    ///
    /// - Parameter file: what is sent; nil where the file is removed.
    func unproven(sending file: SiteFile? = nil) -> Self {
        var entry = Self(size: max(size, file?.size ?? 0), sha256: nil, isAwaited: isAwaited)
        guard isComparable else { return entry }
        entry.possible = possible + (sha256.map { [$0] } ?? [])
        if let new = file?.sha256, !entry.possible.contains(new) { entry.possible.append(new) }
        // One that is not kept makes its file the owner's, which stays: the first one is the surest.
        if entry.possible.count > Self.mostPossible { entry.possible.remove(at: 1) }
        return entry
    }
}
