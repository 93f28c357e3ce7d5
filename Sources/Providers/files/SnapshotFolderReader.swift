import AppHealth
import Diagnostics
import Files
import Transport

/// Reads the files of one folder.
struct SnapshotFolderReader: Sendable {
    /// What makes the files of a folder what they are.
    struct Key: Hashable, Sendable {
        let path: String
        /// Whether texts are tables too.
        let readsTexts: Bool
        let mostFiles: Int
        let mostBytes: Int
    }

    let key: Key
    private let folder: SnapshotFolder
    private let sender: any Sender
    private let limits: Limits

    init(_ path: String, _ configuration: FilesConfiguration, _ sender: any Sender) {
        key = Key(
            path: path, readsTexts: configuration.layout.preset != nil, mostFiles: configuration.mostFiles,
            mostBytes: configuration.mostBytes)
        folder = SnapshotFolder(path, readsTexts: key.readsTexts)
        self.sender = sender
        limits = configuration.limitsOfOne
    }

    /// The path of a file, as the configuration writes that of the folder.
    func path(of relative: String) -> String { "\(folder.root)/\(relative)" }

    /// Files of the folder that are none by their names, the first of many.
    var passedOver: [String] { folder.passedOver(most: 3) }

    /// The bytes of a file.
    func bytes(of relative: String) async throws(RequestFault) -> [UInt8] {
        let address: Address
        do throws(FilesError) {
            address = try fileAddress(path(of: relative))
        } catch {
            throw .file(error.diagnostic)
        }
        return try await fileBytes(at: address, through: sender, limits)
    }

    /// Lists the folder and reads every file once, some at the same time.
    ///
    /// - Parameters:
    ///   - stored: files that need not be decoded for it.
    ///   - hold: takes the bytes of a file that is not among these, by its number.
    @concurrent
    func index(
        knowing stored: StoredFiles, holding hold: @escaping @Sendable (Int, [UInt8]) async -> Void
    ) async -> Result<SnapshotFolderIndex, FilesError> {
        let entries: [SnapshotFolder.Entry]
        do throws(FilesError) {
            entries = try folder.entries()
        } catch {
            return .failure(error)
        }
        var index = SnapshotFolderIndex(entries, most: key.mostFiles)
        let unknown = index.files.indices.filter { index.faults[$0] == nil }
        var interruption: (number: Int, why: RequestFault)?
        await withTaskGroup(of: (Int, Result<SnapshotFolderIndex.Found, RequestFault>).self) { group in
            var (ahead, reading, largest) = (unknown[...], 0, Int.max)
            func readOn() {
                let most = largest <= Self.smallFile ? Self.mostAtOnce : Self.mostLargeAtOnce
                while reading < most, interruption == nil, let number = ahead.popFirst() {
                    let relative = index.files[number].relative
                    group.addTask { (number, await found(in: relative, knowing: stored)) }
                    reading += 1
                }
            }
            readOn()
            while let (number, found) = await group.next() {
                reading -= 1
                switch found {
                case .success(let file):
                    largest = largest == .max ? file.bytes.count : max(largest, file.bytes.count)
                    if !file.isStored { await hold(number, file.bytes) }
                case .failure(let why) where why.isCanceled:
                    if number < interruption?.number ?? .max { interruption = (number, why) }
                case .failure: break
                }
                index.add(found, at: number)
                readOn()
            }
        }
        if let interruption { index.end(before: interruption.number, interruption.why.diagnostic) }
        index.sort()
        return .success(index)
    }

    /// So many small files that a file system of the network is kept busy.
    private static let mostAtOnce = 8
    /// So many of others: each is in memory as a whole.
    private static let mostLargeAtOnce = 2
    /// The most bytes of a small file.
    private static let smallFile = 1 << 20

    private func found(
        in relative: String, knowing stored: StoredFiles
    ) async -> Result<SnapshotFolderIndex.Found, RequestFault> {
        do throws(RequestFault) {
            let bytes = try await bytes(of: relative)
            if SnapshotFileName(relative).isTable {
                return .success(.init(owner: CSVSnapshotReader.app(in: bytes), bytes: bytes))
            }
            let digest = ContentDigest(of: bytes)
            if let (app, time) = stored.head(of: digest) {
                return .success(.init(owner: app, time: time, bytes: bytes, digest: digest, isStored: true))
            }
            let envelope = SnapshotEnvelope(of: bytes)
            return .success(
                .init(owner: envelope?.slug, time: envelope?.time, bytes: bytes, digest: digest))
        } catch {
            return .failure(error)
        }
    }
}

/// The bytes of one file, undone where it is a gzip file.
func fileBytes(
    at address: Address, through sender: any Sender, _ limits: Limits
) async throws(RequestFault) -> [UInt8] {
    let response = try await sender.goodResponse(to: Request(.get, address, limits: limits))
    let bytes = try uncompressed(response, most: limits.bodyBytes)
    if let why = faultOfKind(bytes, address, at: .address(address.description)) { throw .file(why) }
    return bytes
}

/// Why a file is not read that by its first bytes is neither text nor gzip; nil where it may be read.
func faultOfKind(_ bytes: [UInt8], _ address: Address? = nil, at place: Location) -> Diagnostic? {
    guard let kind = otherKinds.first(where: { bytes.starts(with: $0.start) })?.name else { return nil }
    return Diagnostic.error(
        "files.kind", "files: the file is \(kind), which is not read" + (address.map { ": \($0)" } ?? ""),
        at: place, hints: ["write it as JSON, CSV or TSV, compressed with gzip or not"])
}

private let otherKinds: [(start: [UInt8], name: String)] = [
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with Zstandard"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP or Excel file"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an old Excel file"), (Array("BZh91AY&SY".utf8), "compressed with bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed with XZ"), (Array("PAR1".utf8), "a Parquet file"),
]

/// The body of a response, undone where it is a gzip file. Such a file is whole, as it says how long it is, so its last
/// line ends.
private func uncompressed(_ response: Response, most: Int) throws(RequestFault) -> [UInt8] {
    guard isGzip(response.body) else { return response.body }
    do throws(TransportError) {
        let bytes = try response.gunzippedBody(most: most)
        return bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
    } catch {
        throw response.address.text.hasPrefix("file:") ? .file(damage(of: error)) : .transport(error)
    }
}

/// Why a gzip file of this machine is not read: no server sent it.
func damage(of error: TransportError) -> Diagnostic {
    var why = error.diagnostic
    switch error.kind {
    case .truncated:
        why = .error(
            "files.cut", "files: the gzip file ends before its end: \(error.address)",
            details: ["while decompressing it"], at: why.location,
            hints: ["write it whole under another name, then rename it"])
    case .encoding:
        why = .error(
            "files.damaged", "files: the gzip file cannot be decompressed: \(error.address)",
            details: ["while decompressing it"], at: why.location, hints: ["write the file again"])
    default: break
    }
    return why
}

/// Whether the bytes begin as gzip files do (RFC 1952); neither JSON nor a table does.
func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }
