import Cryptography
import Foundation
import LoopbackServer
import Synchronization

@testable import Publishing

/// A small bucket on loopback that checks every signature by itself, from the request as it came.
final class S3Stub: Sendable {
    /// What the bucket does in the place of serving a request.
    enum Fault: Sendable {
        /// Answers with a status and a word of the service's.
        case refuse(Int, String)
        /// Does what is asked, and answers with a status all the same.
        case serveAndRefuse(Int, String)
    }

    struct Object: Sendable, Equatable {
        var body: [UInt8]
        var headers: [String: String]
        var tag: String { "\"" + hex(digest(of: body, by: .md5)) + "\"" }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let server: LoopbackServer
    private let state: State

    private init(_ server: LoopbackServer, _ state: State) { (self.server, self.state) = (server, state) }

    static let bucket = "reports"
    static let key = "AKIATEST"
    static let secret = "s3cr3t/k+y"

    /// Starts a bucket.
    ///
    /// - Parameters:
    ///   - clockAhead: seconds by which its clock is ahead of this machine's.
    ///   - region: where it is; nil for a service that has no regions.
    ///   - deletesMany: whether one request may remove several objects.
    ///   - locked: the key of an object that may not be removed.
    ///   - listsForever: whether each page of a list names another one.
    ///   - fault: decides by the number of the request, from 1.
    static func start(
        clockAhead: Int = 0, token: String? = nil, region: String? = nil, deletesMany: Bool = true,
        locked: String? = nil, listsForever: Bool = false,
        fault: @escaping @Sendable (_ number: Int, _ request: RecordedRequest) -> Fault? = { _, _ in nil }
    ) async throws -> S3Stub {
        let state = State(
            clockAhead: clockAhead, token: token, region: region, deletesMany: deletesMany, locked: locked,
            listsForever: listsForever, fault: fault)
        let server = try await LoopbackServer.start { state.answer($0) }
        return S3Stub(server, state)
    }

    /// The objects by their keys.
    var objects: [String: Object] {
        Dictionary(texts.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    /// The same by the bytes of the keys.
    var texts: [PublishedPath: Object] { state.objects.withLock { $0 } }
    func put(_ key: String, _ text: String) {
        state.objects.withLock { $0[PublishedPath(key)] = Object(body: Array(text.utf8), headers: [:]) }
    }
    /// Puts the faults to an end.
    func heal() { state.isHealed.withLock { $0 = true } }
    /// How many requests came.
    var count: Int { state.count.withLock { $0 } }
    /// What was wrong with the requests.
    var complaints: [String] { state.complaints.withLock { $0 } }

    private final class State: Sendable {
        let objects = Mutex<[PublishedPath: Object]>([:])
        let count = Mutex(0)
        let isHealed = Mutex(false)
        let complaints = Mutex<[String]>([])
        private let clockAhead: Int
        private let token: String?
        private let region: String?
        private let deletesMany: Bool
        private let locked: String?
        private let listsForever: Bool
        private let fault: @Sendable (Int, RecordedRequest) -> Fault?

        init(
            clockAhead: Int, token: String?, region: String?, deletesMany: Bool, locked: String?,
            listsForever: Bool, fault: @escaping @Sendable (Int, RecordedRequest) -> Fault?
        ) {
            (self.clockAhead, self.token, self.fault) = (clockAhead, token, fault)
            (self.region, self.deletesMany, self.locked) = (region, deletesMany, locked)
            self.listsForever = listsForever
        }

        func answer(_ request: RecordedRequest) -> StubResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let fault = isHealed.withLock { $0 } ? nil : fault(number, request)
            if case .refuse(let status, let code)? = fault { return refusal(status, code) }
            let complaint = complaint(about: request)
            if let complaint {
                complaints.withLock { $0.append(complaint.1 + " " + request.method + " " + request.target) }
                return refusal(complaint.0, complaint.1)
            }
            let answer = serve(request)
            if case .serveAndRefuse(let status, let code)? = fault { return refusal(status, code) }
            return answer
        }

        private func refusal(_ status: Int, _ code: String) -> StubResponse {
            StubResponse(
                status: status,
                headers: [("Content-Type", "application/xml"), ("Date", httpDate(now))],
                body: Array(
                    "<Error><Code>\(code)</Code><Message>no &amp; never</Message>\(place)</Error>".utf8))
        }

        private var place: String { region.map { "<Region>\($0)</Region>" } ?? "" }

        private var now: Int { Int(Date().timeIntervalSince1970) + clockAhead }

        private func serve(_ request: RecordedRequest) -> StubResponse {
            let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
            guard parts.first.map(String.init) == S3Stub.bucket else { return refusal(404, "NoSuchBucket") }
            let key = PublishedPath(parts.count > 1 ? String(parts[1]) : "")
            return objects.withLock { objects in
                switch request.method {
                case "GET" where key.text.isEmpty: return list(objects, request)
                case "GET":
                    guard let object = objects[key] else { return refusal(404, "NoSuchKey") }
                    let headers = object.headers.map { (name: $0.key, value: $0.value) }
                    return StubResponse(headers: [("ETag", object.tag)] + headers, body: object.body)
                case "PUT":
                    if request.header("If-None-Match") == "*", objects[key] != nil {
                        return refusal(412, "PreconditionFailed")
                    }
                    if let tag = request.header("If-Match"), objects[key]?.tag != tag {
                        return refusal(objects[key] == nil ? 404 : 412, "PreconditionFailed")
                    }
                    var headers: [String: String] = [:]
                    for name in ["Content-Type", "Cache-Control", "Content-Encoding"] {
                        headers[name] = request.header(name)
                    }
                    let object = Object(body: request.body, headers: headers)
                    objects[key] = object
                    return StubResponse(headers: [("ETag", object.tag)])
                case "POST" where deletesMany && request.parameter("delete") == "":
                    var errors = ""
                    for match in request.text.matches(of: /<Key>([^<]*)<\/Key>/) {
                        let key = unescapedXML(String(match.1))
                        if key != locked {
                            objects[PublishedPath(key)] = nil
                        } else {
                            // As a service does that writes keys in its own way.
                            errors += "<Error><Key>%2F\(key)</Key><Code>AccessDenied</Code></Error>"
                        }
                    }
                    return .text("<DeleteResult>\(errors)</DeleteResult>")
                case "POST": return refusal(501, "NotImplemented")
                case "DELETE" where key.text == locked: return refusal(403, "AccessDenied")
                case "DELETE":
                    objects[key] = nil
                    return StubResponse(status: 204)
                default: return refusal(405, "MethodNotAllowed")
                }
            }
        }

        /// Pages of three keys.
        private func list(_ objects: [PublishedPath: Object], _ request: RecordedRequest) -> StubResponse {
            let after = request.parameter("continuation-token") ?? ""
            let keys = objects.keys.sorted().filter { $0 > PublishedPath(after) }.map(\.text).filter {
                $0.utf8.starts(with: (request.parameter("prefix") ?? "").utf8)
            }
            let page = keys.prefix(3)
            let more = listsForever || keys.count > 3
            let token = listsForever ? after + "~" : page.last ?? ""
            let lines = page.map { "<Contents><Key>\($0.replacing("&", with: "&amp;"))</Key></Contents>" }
            let next = more ? "<NextContinuationToken>\(token)</NextContinuationToken>" : ""
            return .text(
                "<ListBucketResult><IsTruncated>\(more)</IsTruncated>\(next)\(lines.joined())</ListBucketResult>"
            )
        }

        // MARK: Signatures, by the service's published rules

        private func complaint(about request: RecordedRequest) -> (Int, String)? {
            guard let line = request.header("Authorization"), let fields = fields(line) else {
                return (403, "AccessDenied")
            }
            let scope = (fields["Credential"] ?? "").split(separator: "/").map(String.init)
            guard scope.count == 5, scope[0] == S3Stub.key else { return (403, "InvalidAccessKeyId") }
            if let region, scope[2] != region { return (400, "AuthorizationHeaderMalformed") }
            guard let time = request.header("x-amz-date"), let hash = request.header("x-amz-content-sha256")
            else { return (400, "InvalidRequest") }
            if let token, request.header("x-amz-security-token") != token { return (400, "InvalidToken") }
            if abs(seconds(time) - now) > 900 { return (403, "RequestTimeTooSkewed") }
            let names = (fields["SignedHeaders"] ?? "").split(separator: ";").map(String.init)
            var needed: Set = ["host", "x-amz-date", "x-amz-content-sha256"]
            if token != nil { needed.insert("x-amz-security-token") }
            guard needed.isSubset(of: names) else { return (403, "AccessDenied") }
            guard signature(request, names, scope, time, hash) == fields["Signature"] else {
                return (403, "SignatureDoesNotMatch")
            }
            guard hex(digest(of: request.body)) == hash else {
                return (400, "XAmzContentSHA256Mismatch")
            }
            let sum = Data(digest(of: request.body, by: .md5)).base64EncodedString()
            if ["PUT", "POST"].contains(request.method), request.header("Content-MD5") != sum {
                return (400, "BadDigest")
            }
            return nil
        }

        private func fields(_ line: String) -> [String: String]? {
            guard line.hasPrefix("AWS4-HMAC-SHA256 ") else { return nil }
            let pairs = line.dropFirst(17).split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1).map(String.init)
            }
            return Dictionary(
                pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first }
            )
        }

        private func signature(
            _ request: RecordedRequest, _ names: [String], _ scope: [String], _ time: String, _ hash: String
        ) -> String {
            let target = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let path = escaped(target[0].removingPercentEncoding ?? "", keeping: "/")
            let query = (target.count > 1 ? String(target[1]) : "").split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return escaped(parts[0].removingPercentEncoding ?? "") + "="
                    + escaped(parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : "")
            }.sorted().joined(separator: "&")
            let headers = names.map { name in
                let value = (request.header(name) ?? "").split(separator: " ").joined(separator: " ")
                return "\(name):\(value)\n"
            }.joined()
            let canonical =
                "\(request.method)\n\(path)\n\(query)\n\(headers)\n\(names.joined(separator: ";"))\n\(hash)"
            let day = scope[1], area = scope.dropFirst().joined(separator: "/")
            let text = "AWS4-HMAC-SHA256\n\(time)\n\(area)\n\(hex(digest(of: canonical.utf8)))"
            var key = Array("AWS4\(S3Stub.secret)".utf8)
            for word in [day, scope[2], scope[3], "aws4_request", text] {
                key = authenticationCode(for: word.utf8, key: key)
            }
            return hex(key)
        }
    }
}

private func escaped(_ text: String, keeping more: String = "") -> String {
    text.addingPercentEncoding(
        withAllowedCharacters: CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + more)) ?? ""
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private let amzFormat = formatter("yyyyMMdd'T'HHmmss'Z'")
private let httpFormat = formatter("EEE, dd MMM yyyy HH:mm:ss 'GMT'")

private func formatter(_ format: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = format
    return formatter
}

private func seconds(_ time: String) -> Int {
    Int(amzFormat.date(from: time)?.timeIntervalSince1970 ?? 0)
}

private func httpDate(_ seconds: Int) -> String {
    httpFormat.string(
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
}

private func unescapedXML(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
}
