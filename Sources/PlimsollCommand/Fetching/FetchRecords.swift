import Files

/// What one fetch keeps for the next one, next to the archive. It is an aid alone: where a record is missing, damaged or
/// of another program, everything is worked out again.
struct FetchRecords: Sendable {
    /// What is kept, by the name of its file.
    enum Name: String, CaseIterable {
        /// Which ledgers hold what the archive shows.
        case ledgers
        /// Which snapshot files the archive holds.
        case files
    }

    private let folder: String
    private static let limit = 1 << 28

    init(of project: Project) { folder = project.keptBuilds + "/fetch" }

    /// The bytes of a record; nil when there is none that is whole.
    func bytes(of name: Name) -> ArraySlice<UInt8>? {
        guard let bytes = try? readFile(path(of: name), limit: Self.limit), bytes.count > 64,
            contentHash(bytes.dropFirst(64)).utf8.elementsEqual(bytes.prefix(64))
        else { return nil }
        return bytes.dropFirst(64)
    }

    /// Keeps a record in the place of the one before.
    func keep(_ bytes: [UInt8], as name: Name) {
        // For the owner alone, as what builds keep.
        try? makePrivateFolder(folder)
        // What a killed fetch left; no other one runs on the archive.
        for left in (try? folderNames(folder)) ?? [] where Name(rawValue: left) == nil {
            try? removeFolder("\(folder)/\(left)")
        }
        try? replaceFile(path(of: name), Array(contentHash(bytes).utf8) + bytes)
    }

    private func path(of name: Name) -> String { "\(folder)/\(name.rawValue)" }
}
