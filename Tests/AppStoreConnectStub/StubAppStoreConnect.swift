import Foundation
package import LoopbackServer
import Synchronization

/// A stand-in for App Store Connect's API and, at another origin, for the store of its files.
package final class StubAppStoreConnect: Sendable {
    package typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?

    /// What opens the files; it must never be found anywhere.
    package static let signature = "5f1e0c7a9b3d4e8f5f1e0c7a9b3d4e8f"
    package static let appID = "1234567890"

    package let api: LoopbackServer
    package let files: LoopbackServer
    private let reported: Reports

    /// Starts both; a fault that responds goes first, after the token was checked.
    package static func start(
        _ content: StubReports = StubReports(), clock: @escaping @Sendable () -> Int,
        fault: @escaping Fault = { _ in nil }
    ) async throws -> StubAppStoreConnect {
        let reported = Reports(content)
        let files = try await LoopbackServer.start { file($0, of: reported.content) }
        let origin = files.origin
        let created = Mutex(false)
        let api = try await LoopbackServer.start { request in
            let words = StubTeamKey.shared.fault(inBearer: request.header("Authorization"), at: clock())
            if let words {
                return .appStoreConnect(
                    401, "NOT_AUTHORIZED", "Authentication credentials are missing or invalid.", words)
            }
            if let answer = try await fault(request) { return answer }
            let home = "http://\(request.header("Host") ?? "")"
            if request.method == "POST" { return create(request, created) }
            var answer = answer(
                request, of: reported.content, files: origin, home: home, hasCreated: created.withLock { $0 })
            answer.headers.append(("X-Rate-Limit", "user-hour-lim:3600;user-hour-rem:3121;"))
            return answer
        }
        return StubAppStoreConnect(api: api, files: files, reported: reported)
    }

    private init(api: LoopbackServer, files: LoopbackServer, reported: Reports) {
        self.api = api
        self.files = files
        self.reported = reported
    }

    /// Serves another content from now on, as a service does on the next day.
    package func report(_ content: StubReports) { reported.change(to: content) }

    private final class Reports: Sendable {
        private let value: Mutex<StubReports>

        init(_ content: StubReports) { value = Mutex(content) }

        var content: StubReports { value.withLock { $0 } }

        func change(to content: StubReports) { value.withLock { $0 = content } }
    }

    package func stop() async {
        await api.stop()
        await files.stop()
    }
}

extension StubAppStoreConnect {
    /// Answers as the API and, below `/files`, as the store of its files.
    package static func respond(
        to request: RecordedRequest, of content: StubReports, at now: Int
    ) -> StubResponse {
        if request.path.hasPrefix("/files/") { return file(request, of: content) }
        if let words = StubTeamKey.shared.fault(inBearer: request.header("Authorization"), at: now) {
            return .appStoreConnect(
                401, "NOT_AUTHORIZED", "Authentication credentials are missing or invalid.", words)
        }
        let home = "http://\(request.header("Host") ?? "")"
        return answer(request, of: content, files: "\(home)/files", home: home, hasCreated: false)
    }
}

extension StubResponse {
    /// App Store Connect's envelope of an error.
    package static func appStoreConnect(
        _ status: Int, _ code: String, _ title: String, _ detail: String
    ) -> StubResponse {
        .json(
            #"{"errors":[{"id":"e-1","status":"\#(status)","code":"\#(code)","title":"\#(title)","detail":"\#(detail)"}]}"#,
            status: status)
    }

    static let notFound = appStoreConnect(
        404, "NOT_FOUND", "The specified resource does not exist", "")
}
