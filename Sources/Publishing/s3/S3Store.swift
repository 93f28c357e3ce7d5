import Cryptography
import Diagnostics
import Files
import Foundation
import Transport

/// A folder in a bucket, as a place for files.
struct S3Store: FileStore {
    let location: S3Place
    /// Tries again what deserves it, and signs.
    let sender: any Sender
    let keys: S3KeyRing
    let pageSeconds: Int
    let compresses: Bool
    let isConditional: Bool
    let timeoutMilliseconds: Int

    var place: String { location.text }
    var lanes: Int { 8 }
    var removalsAtOnce: Int { 1000 }

    /// Larger files are read piece by piece while they are sent.
    private static let mostHeldBytes = 8 << 20

    func served(_ file: SiteFile) -> String { way(file).summary }

    private func way(_ file: SiteFile) -> ServedAs {
        ServedAs(file.path.text, size: file.size, pageSeconds: pageSeconds, compresses: compresses)
    }

    // MARK: The manifest

    func readManifest() async throws(Diagnostic) -> (bytes: [UInt8], revision: String?)? {
        let answer = try await send(.get, location.address(of: PublicationManifest.path))
        return try manifest(in: answer).map { ($0, isConditional ? answer.headers["ETag"] : nil) }
    }

    /// The bytes of the manifest in a response; nil when there is none.
    private func manifest(in answer: Response) throws(Diagnostic) -> [UInt8]? {
        switch answer.status {
        case 200: return answer.body
        case 404 where S3Refusal(answer).code != "NoSuchBucket": return nil
        default:
            throw S3Refusal(answer).diagnostic(
                "Cannot read what was published to \(place)",
                permission: "s3:GetObject on \(resource), and s3:ListBucket on the bucket")
        }
    }

    func writeManifest(
        _ bytes: [UInt8], over revision: String?
    ) async throws(Diagnostic) -> ManifestOutcome {
        var headers = [("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store")]
        if isConditional {
            headers.append(revision.map { ("If-Match", $0) } ?? ("If-None-Match", "*"))
        }
        let address = try location.address(of: PublicationManifest.path)
        for _ in 0..<4 {
            let answer = try await send(.put, address, headers, body: bytes)
            switch answer.status {
            case 200...299:
                guard isConditional else { return .written(revision: nil) }
                if let tag = answer.headers["ETag"] { return .written(revision: tag) }
                return .written(revision: try await readManifest()?.revision)
            case 404 where isConditional, 409 where isConditional, 412 where isConditional:
                let refusal = S3Refusal(answer)
                if refusal.code == "NoSuchBucket" { throw refused(answer, "s3:PutObject") }
                // An earlier attempt may have arrived though its response was lost.
                let now = try await readManifest()
                if let now, now.bytes == bytes { return .written(revision: now.revision) }
                // Two writes at the same moment: the service asks for another attempt.
                if answer.status == 409, now?.revision == revision { continue }
                return .overtaken
            default: throw refused(answer, "s3:PutObject")
            }
        }
        return .overtaken
    }

    /// With the tag of the state the service sends nothing where that is still there.
    func isStill(_ digest: String, _ revision: String?) async throws(Diagnostic) -> Bool {
        guard isConditional, let revision else { return true }
        let address = try location.address(of: PublicationManifest.path)
        let answer = try await send(.get, address, [("If-None-Match", revision)])
        if answer.status == 304 { return true }
        return try manifest(in: answer).map { contentHash($0) } == digest
    }

    // MARK: Files

    /// Lists what is there, or asks for each file where that takes fewer requests. A bucket has no folders: one key is
    /// never in the way of another.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        let paths = plan.uploads.filter(\.isNew).map(\.file.path)
        let pages = plan.last.map { $0.manifest.files.count / 1000 + 1 } ?? 1
        var there: Set<PublishedPath> = []
        if !paths.isEmpty, plan.last == nil || paths.count > pages,
            let listed = try await listed(Set(paths), pages: paths.count)
        {
            there = listed
        } else {
            for path in paths where try await holds(path) { there.insert(path) }
        }
        return ForeignFiles(there, under: plan)
    }

    /// Whether there is an object: of all keys that begin with its own, its own comes first.
    private func holds(_ path: PublishedPath) async throws(Diagnostic) -> Bool {
        let key = location.prefix + path.text
        let query = [("list-type", "2"), ("max-keys", "1"), ("prefix", key)]
        let answer = try await send(.get, try location.address(query: query))
        guard answer.status == 200 else { throw unlistable(answer) }
        return xmlValues("Key", in: answer.text).first.map(PublishedPath.init(_:)) == PublishedPath(key)
    }

    private func unlistable(_ answer: Response) -> Diagnostic {
        S3Refusal(answer).diagnostic(
            "Cannot list \(place)", permission: "s3:ListBucket on arn:aws:s3:::\(location.bucket)")
    }

    /// Those of some paths that are in the list of the folder; nil when the list has more pages than are read of it, or
    /// never ends.
    private func listed(
        _ paths: Set<PublishedPath>, pages most: Int
    ) async throws(Diagnostic) -> Set<PublishedPath>? {
        var found: Set<PublishedPath> = []
        var token: String?
        for _ in 0..<most {
            var query = [("list-type", "2"), ("prefix", location.prefix)]
            if let token { query.append(("continuation-token", token)) }
            let answer = try await send(.get, try location.address(query: query))
            guard answer.status == 200 else { throw unlistable(answer) }
            let text = answer.text
            for key in xmlValues("Key", in: text) where key.utf8.starts(with: location.prefix.utf8) {
                let bytes = key.utf8.dropFirst(location.prefix.utf8.count)
                let path = PublishedPath(String(decoding: bytes, as: UTF8.self))
                if paths.contains(path) { found.insert(path) }
            }
            guard xmlValues("IsTruncated", in: text).first == "true" else { return found }
            guard let next = xmlValues("NextContinuationToken", in: text).first, next != token else {
                return nil
            }
            token = next
        }
        return nil
    }

    func put(_ file: SiteFile, of site: SiteFolder) async throws(Diagnostic) {
        let way = way(file)
        if file.size > Self.mostHeldBytes, !way.isGzip { return try await stream(file, of: site, way) }
        var body = try site.bytes(of: file)
        var headers = [("Content-Type", way.contentType), ("Cache-Control", way.cacheControl)]
        if way.isGzip {
            body = try compressed(body, file)
            headers.append(("Content-Encoding", "gzip"))
        }
        let answer = try await send(.put, try location.address(of: file.path), headers, body: body)
        guard (200...299).contains(answer.status) else { throw refused(answer, "s3:PutObject", file.path) }
    }

    /// Sends a large file piece by piece.
    private func stream(_ file: SiteFile, of site: SiteFolder, _ way: ServedAs) async throws(Diagnostic) {
        guard file.size < 5 << 30 else { throw fileProblem("upload", file.path.text, code: EFBIG) }
        let digest = Data(try site.checkedMD5(file)).base64EncodedString()
        let headers = [
            ("Content-Type", way.contentType), ("Cache-Control", way.cacheControl), ("Content-MD5", digest),
        ]
        let answer = try await site.lend([file]) { (site) async throws(Diagnostic) in
            try await send(
                .put, try location.address(of: file.path), headers,
                file: BodyFile(path: "\(site)/\(file.path)", size: file.size, sha256: file.sha256))
        }
        guard (200...299).contains(answer.status) else { throw refused(answer, "s3:PutObject", file.path) }
    }

    /// Reads it, no further than what was published is long: the tag of an object is no digest at every service, and no
    /// digest of what was compressed for it.
    func isAsPublished(_ file: PublishedFile) async throws(Diagnostic) -> Bool {
        guard file.entry.isComparable else { return true }
        guard file.entry.size <= PublicationManifest.mostBytes else { return false }
        let answer = try await send(.get, try location.address(of: file.path), most: file.entry.size)
        switch answer.status {
        case 200: return file.entry.isOf(contentHash(answer.body))
        case 404: return true
        case 413: return false
        // An object that the owner had moved to where it cannot be read at once.
        case 403 where S3Refusal(answer).code == "InvalidObjectState": return false
        default:
            throw S3Refusal(answer).diagnostic(
                "Cannot compare '\(file.path)' at \(place)", permission: "s3:GetObject on \(resource)")
        }
    }

    /// Removes up to 1,000 objects by one request, or each by its own where the service does not take that.
    func remove(_ files: [PublishedFile]) async throws(Diagnostic) -> Diagnostic? {
        var left = files.map(\.path)
        if left.count > 1 {
            let keys = left.map { "<Object><Key>\(xmlText(location.prefix + $0.text))</Key></Object>" }
            let body = "<Delete><Quiet>true</Quiet>\(keys.joined())</Delete>"
            let answer = try await send(
                .post, try location.address(query: [("delete", "")]), [("Content-Type", "application/xml")],
                body: Array(body.utf8))
            // Quiet, the service lists only what it could not remove.
            if answer.status == 200 {
                let failed = Set(xmlValues("Key", in: answer.text).map(PublishedPath.init(_:)))
                let named = left.filter { failed.contains(PublishedPath(location.prefix + $0.text)) }
                // Of an error that names none of them it is not known which one stays.
                if named.count == xmlValues("Error", in: answer.text).count { left = named }
            }
        }
        for path in left {
            if let refusal = try await remove(path) { return refusal }
        }
        return nil
    }

    private func remove(_ path: PublishedPath) async throws(Diagnostic) -> Diagnostic? {
        let answer = try await send(.delete, try location.address(of: path))
        let isGone = (200...299).contains(answer.status) || answer.status == 404
        return isGone ? nil : refused(answer, "s3:DeleteObject", path)
    }

    private func compressed(_ bytes: [UInt8], _ file: SiteFile) throws(Diagnostic) -> [UInt8] {
        if let result = gzipCompressed(bytes) { return result }
        throw .error("publish.gzip", "'\(file.path)' cannot be compressed", hints: ["publish again"])
    }

    // MARK: Requests

    private var resource: String { "arn:aws:s3:::\(location.bucket)/\(location.prefix)*" }

    private func refused(_ answer: Response, _ permission: String, _ path: PublishedPath? = nil) -> Diagnostic
    {
        let file = path.map { "'\($0)' " } ?? ""
        let (verb, way) = permission == "s3:DeleteObject" ? ("remove", "from") : ("publish", "to")
        return S3Refusal(answer).diagnostic(
            "Cannot \(verb) \(file)\(way) \(place)", permission: "\(permission) on \(resource)")
    }

    /// Sends a request with a key that lasts; one that has ended all the same is renewed once.
    ///
    /// - Parameter most: the most bytes of the response's body; of a longer one there is the status 413 alone.
    private func send(
        _ method: Request.Method, _ address: Address, _ headers: [(String, String)] = [], body: [UInt8] = [],
        file: BodyFile? = nil, most: Int? = nil
    ) async throws(Diagnostic) -> Response {
        try await keys.prepare()
        let key = keys.current
        do {
            var request = Request(method, address, body: body)
            request.bodyFile = file
            // What is removed may be removed twice.
            request.isIdempotent = true
            request.limits.redirects = 0
            request.limits.bodyBytes = most ?? PublicationManifest.mostBytes
            // At the slowest, 50 kB a second.
            request.limits.totalMilliseconds = timeoutMilliseconds + (file?.size ?? body.count) / 50
            for (name, value) in headers { try request.headers.append(name, value) }
            if method != .get, method != .delete, file == nil {
                let sum = Data(digest(of: body, by: .md5)).base64EncodedString()
                try request.headers.append("Content-MD5", sum)
            }
            let answer = try await sender.send(request)
            guard answer.status == 400 || answer.status == 403,
                S3Refusal(answer).code == "ExpiredToken", try await keys.renew(key)
            else { return answer }
            return try await sender.send(request)
        } catch let error as any DiagnosticConvertible {
            let kind = (error as? TransportError)?.kind
            if kind == .canceled { throw interrupted }
            if kind == .tooLarge, most != nil { return Response(status: 413, body: [], address: address) }
            throw error.diagnostic
        } catch {
            throw .error("publish.failed", "Request to \(place) failed", at: .address(address.description))
        }
    }
}
