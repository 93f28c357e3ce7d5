import Files
import Pages

/// The Markdown of the main pages, which waits in a file without a name until all pages are made.
struct WaitingPages {
    private var places: [SitePath: Range<Int>] = [:]
    private var scratch: ScratchFile?
    /// Where the file is.
    private let folder: String

    init(in folder: String) { self.folder = folder }

    /// Puts pages down, of which none has the path of an earlier one.
    mutating func add(_ pages: [SitePath: [UInt8]]) throws(FileFailure) {
        if pages.isEmpty { return }
        let file: ScratchFile
        if let scratch { file = scratch } else { file = try ScratchFile(in: folder) }
        scratch = file
        for (path, bytes) in pages { places[path] = try file.put(bytes) }
    }

    /// How many bytes a page has; nil when there is none.
    func size(of path: SitePath) -> Int? { places[path]?.count }

    /// The bytes of a page; none when there is none.
    func page(_ path: SitePath) throws(FileFailure) -> [UInt8] {
        guard let scratch, let place = places[path] else { return [] }
        return try scratch.bytes(at: place)
    }
}
