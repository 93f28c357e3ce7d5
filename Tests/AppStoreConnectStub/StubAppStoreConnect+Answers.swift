import Cryptography
import Foundation
import LoopbackServer
import Synchronization

/// What the API returns for a request that reads.
func answer(
    _ request: RecordedRequest, of content: StubReports, files: String, home: String, hasCreated: Bool
) -> StubResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "v1", request.parameter("limit") == "200" else { return .notFound }
    switch (parts.dropFirst().first, parts.last) {
    case ("apps", "apps"):
        guard request.parameter("filter[bundleId]") != nil else { return .notFound }
        return list([
            #"{"type":"apps","id":"77","attributes":{"bundleId":"org.example.ferry.beta"}}"#,
            #"{"type":"apps","id":"\#(StubAppStoreConnect.appID)","attributes":{"bundleId":"org.example.ferry"}}"#,
        ])
    case ("apps", "analyticsReportRequests"):
        guard parts[2] == StubAppStoreConnect.appID, request.parameter("filter[accessType]") == "ONGOING"
        else {
            return .notFound
        }
        return list(content.requests)
    case ("analyticsReportRequests", "reports"):
        let known = hasCreated ? "rq-new" : "rq-1"
        guard parts[2] == known, request.parameter("filter[category]") == "APP_USAGE" else {
            return .notFound
        }
        return list(
            content.reports.enumerated().map {
                #"{"type":"analyticsReports","id":"r\#($0)","attributes":{"name":"\#($1.name)","category":"APP_USAGE"}}"#
            })
    case ("analyticsReports", "instances"):
        guard let report = number(parts[2], "r"), request.parameter("filter[granularity]") == "DAILY" else {
            return .notFound
        }
        return instances(content, of: report, request, home: home)
    case ("analyticsReportInstances", "segments"):
        let ids = parts[2].split(separator: "-").compactMap { Int($0) }
        return segments(
            content.reports[ids[0]].instances[ids[1]].segments, below: "\(files)/\(ids[0])/\(ids[1])")
    case ("builds", "builds"):
        guard request.parameter("filter[app]") == StubAppStoreConnect.appID,
            request.parameter("include") == "preReleaseVersion"
        else { return .notFound }
        return builds(content.builds, request, home: home)
    default: return .notFound
    }
}

/// A page of the instances that are still listed.
private func instances(
    _ content: StubReports, of report: Int, _ request: RecordedRequest, home: String
) -> StubResponse {
    let all = content.reports[report].instances
    let start = max(
        request.parameter("cursor").flatMap { Int($0) } ?? 0,
        all.count - min(content.listedInstances, all.count))
    let page = (start..<max(start, min(start + content.instancesOfPage, all.count)))
    let next =
        page.upperBound < all.count
        ? "\(home)\(request.path)?filter%5Bgranularity%5D=DAILY&limit=200&cursor=\(page.upperBound)" : nil
    return list(
        page.map { index in
            #"{"type":"analyticsReportInstances","id":"\#(report)-\#(index)","attributes":{"granularity":"DAILY","processingDate":"\#(all[index].processed)"}}"#
        }, next: next)
}

private func segments(_ texts: [String], below place: String) -> StubResponse {
    list(
        texts.enumerated().map { index, text in
            let bytes = gzipped(Array(text.utf8))
            let sum = digest(of: bytes, by: .md5).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            return
                #"{"type":"analyticsReportSegments","id":"s\#(index)","attributes":{"checksum":"\#(sum.joined())","#
                + #""sizeInBytes":\#(bytes.count),"url":"\#(place)/\#(index).txt.gz?X-Amz-Expires=300&X-Amz-Signature=\#(StubAppStoreConnect.signature)"}}"#
        })
}

/// Three builds a page, with the versions that they belong to.
private func builds(_ all: [StubReports.Build], _ request: RecordedRequest, home: String) -> StubResponse {
    let start = request.parameter("cursor").flatMap { Int($0) } ?? 0
    let page = all.dropFirst(start).prefix(3)
    let builds = page.map { build in
        let state = build.isProcessed ? "VALID" : "PROCESSING"
        return
            #"{"type":"builds","id":"b\#(build.number)","attributes":{"version":"\#(build.number)","uploadedDate":"\#(build.uploadedAt)","processingState":"\#(state)"},"relationships":{"preReleaseVersion":{"data":{"type":"preReleaseVersions","id":"v\#(build.platform)\#(build.version)"}}}}"#
    }
    let versions = Set(
        page.map { build in
            #"{"type":"preReleaseVersions","id":"v\#(build.platform)\#(build.version)","attributes":{"version":"\#(build.version)","platform":"\#(build.platform)"}}"#
        }
    ).sorted()
    let next =
        start + 3 < all.count ? "\(home)\(request.path)?\(withoutCursor(request))&cursor=\(start + 3)" : nil
    return list(builds, included: versions, next: next)
}

private func withoutCursor(_ request: RecordedRequest) -> String {
    let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.split(separator: "&").filter { !$0.hasPrefix("cursor=") }.joined(separator: "&")
}

/// Creates a report request, when the body is as the API wants it.
func create(_ request: RecordedRequest, _ created: borrowing Mutex<Bool>) -> StubResponse {
    let wanted =
        #"{"data":{"attributes":{"accessType":"ONGOING"},"relationships":{"app":{"data":{"id":"1234567890","type":"apps"}}},"type":"analyticsReportRequests"}}"#
    guard request.path == "/v1/analyticsReportRequests", request.text == wanted,
        request.header("Content-Type") == "application/json"
    else {
        return .appStoreConnect(
            409, "ENTITY_ERROR", "The provided entity is invalid", request.text.replacing("\"", with: "'"))
    }
    created.withLock { $0 = true }
    return .json(
        #"{"data":{"type":"analyticsReportRequests","id":"rq-new","attributes":{"accessType":"ONGOING"}},"links":{"self":""}}"#,
        status: 201)
}

/// The store admits whoever has the signature and, as real ones do, refuses a second kind of credential.
func file(_ request: RecordedRequest, of content: StubReports) -> StubResponse {
    guard request.header("Authorization") == nil else {
        return .text("<Error><Code>InvalidArgument", status: 400)
    }
    guard request.parameter("X-Amz-Signature") == StubAppStoreConnect.signature else {
        return .text("<Error><Code>AccessDenied", status: 403)
    }
    let ids = request.path.split { $0 == "/" || $0 == "." }.compactMap { Int($0) }
    let text = content.reports[ids[0]].instances[ids[1]].segments[ids[2]]
    return StubResponse(headers: [("Content-Type", "application/a-gzip")], body: gzipped(Array(text.utf8)))
}

private func list(_ data: [String], included: [String] = [], next: String? = nil) -> StubResponse {
    let next = next.map { #","next":"\#($0)""# } ?? ""
    let more = included.isEmpty ? "" : #","included":[\#(included.joined(separator: ","))]"#
    return .json(
        #"{"data":[\#(data.joined(separator: ","))]\#(more),"links":{"self":"x"\#(next)},"meta":{"paging":{"limit":200}}}"#
    )
}

private func number(_ text: String, _ prefix: String) -> Int? {
    text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
}
