import Files

/// The digests of the files that demos wrote into a folder, kept in it: a file with another one was changed since.
struct DemoRecord {
    /// By the paths from the folder. While files are written, a path has the digests of its old and its new contents.
    private var digests: [String: Set<String>] = [:]

    /// Its file, which has the form of 'sha256sum'.
    private static let name = ".plimsoll-demo"

    /// No file was written yet.
    init() {}

    /// What is kept in a folder; nil where nothing is, as in demos of earlier versions.
    init?(in folder: String) throws(FileFailure) {
        let file = "\(folder)/\(Self.name)"
        guard try knownKind(file) == .file else { return nil }
        let text = String(decoding: try readFile(file), as: UTF8.self)
        for line in text.split(separator: "\n") {
            guard let space = line.firstIndex(of: " ") else { continue }
            add(String(line[..<space]), at: String(line[space...].drop { $0 == " " }))
        }
    }

    /// Whether a demo wrote a file with this digest.
    func holds(_ digest: String, at path: String) -> Bool { digests[path]?.contains(digest) == true }

    /// Adds the digest of a file.
    mutating func add(_ digest: String, at path: String) { digests[path, default: []].insert(digest) }

    /// Keeps it in a folder.
    func keep(in folder: String) throws(FileFailure) {
        let lines = digests.sorted { $0.key < $1.key }.flatMap { path, digests in
            digests.sorted().map { "\($0)  \(path)\n" }
        }
        try replaceFile("\(folder)/\(Self.name)", Array(lines.joined().utf8))
    }
}
