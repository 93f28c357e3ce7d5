import Files

/// What a site was like when a build had written it, without what stays in it whatever is built.
struct KeptListing: Codable, Sendable {
    /// A digest of its manifest.
    let manifest: String
    /// Its files and folders.
    let listing: FolderListing

    /// Whether a folder still is that site, with nothing in it that stays whatever is built.
    func isStill(_ folder: String, _ policy: OutputPolicy) -> Bool {
        !policy.keepsAny(in: folder) && listing.isStill(folder)
    }

    /// What each file was like.
    var stamps: [String: FileStamp] {
        let files = (listing.entries ?? []).filter { $0.kind == .file }
        return Dictionary(files.map { ($0.path, $0.stamp) }, uniquingKeysWith: { first, _ in first })
    }
}
