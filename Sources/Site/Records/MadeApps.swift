import AppHealth
import Files

/// The apps whose pages are new in a site, with what the next build may keep of each.
///
/// It waits in a scratch file until the site is in its place, so that no memory grows with the number of apps. It is not
/// needed: where it cannot be put down or read, the next build makes the pages again.
struct MadeApps {
    /// An app, and where in the file it is.
    struct App {
        let id: Slug
        /// A digest of the files below its folders.
        let files: String
        fileprivate let plain: String?
        fileprivate let mark: KeptMark
        fileprivate let record: Range<Int>
        fileprivate let pages: Range<Int>?
    }

    private(set) var apps: [App] = []
    private var file: ScratchFile?
    private let folder: String?

    /// - Parameter folder: where the scratch file is; nil when nothing is kept.
    init(in folder: String?) { self.folder = folder }

    /// Puts down what the next build may keep of an app.
    ///
    /// - Parameters:
    ///   - files: A digest of the files below its folders.
    ///   - plain: A digest of those in its own folder that are kept too.
    mutating func add(_ id: Slug, _ app: KeptApp, _ pages: KeptPageTable?, files: String, plain: String?) {
        guard let file = scratchFile(), let bytes = try? ValueEncoder.bytes(of: app),
            let record = try? file.put(bytes)
        else { return }
        let place = pages.flatMap { try? file.put($0.bytes) }
        apps.append(App(id: id, files: files, plain: plain, mark: app.mark, record: record, pages: place))
    }

    private mutating func scratchFile() -> ScratchFile? {
        guard file == nil, let folder else { return file }
        try? makePrivateFolder(folder)
        file = try? ScratchFile(in: folder)
        return file
    }

    /// What was put down of an app.
    func record(of app: App) -> KeptRecord? {
        guard let bytes = try? file?.bytes(at: app.record) else { return nil }
        var mark = app.mark
        (mark.files, mark.plain) = (app.files, app.plain)
        return KeptRecord(mark: mark, bytes: bytes)
    }

    /// What was put down of the pages of an app.
    func pages(of app: App) -> KeptPageTable? {
        guard let place = app.pages, let bytes = try? file?.bytes(at: place) else { return nil }
        return KeptPageTable(bytes: bytes)
    }
}
