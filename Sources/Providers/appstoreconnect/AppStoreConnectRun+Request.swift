import Diagnostics
import Foundation

extension AppStoreConnectRun {
    /// The reports of the app's ongoing report request; nil where one would be created and this run changes nothing. Without
    /// one there is nothing to read.
    mutating func reports(of app: String) async throws(ServiceFault) -> [AppStoreConnectReportEntry]? {
        guard let id = try await requestID(of: app) else { return nil }
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectReportEntry>.self, .reports(request: id))
        parts.add(pages.warnings)
        return pages.elements
    }

    private mutating func requestID(of app: String) async throws(ServiceFault) -> String? {
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectReportRequest>.self, .reportRequests(app: app))
        let ongoing = pages.elements.filter(\.isOngoing)
        if let running = ongoing.first(where: { !$0.isStopped }) { return running.id.text }
        guard configuration.createsReportRequest else {
            throw noRequest(app, isStopped: !ongoing.isEmpty)
        }
        do throws(ServiceFault) {
            return try await newRequest(for: app)
        } catch {
            guard error.isWithheld else { throw error }
            parts.add(requestToCreate(for: app, isStopped: !ongoing.isEmpty))
            return nil
        }
    }

    /// That a fetch begins what a run that changes nothing does not.
    private func requestToCreate(for app: String, isStopped: Bool) -> Diagnostic {
        let name = AppStoreConnectProvider.name
        let what = isStopped ? "the ongoing report request was stopped" : "no ongoing report request yet"
        return Diagnostic(
            .note, id: "\(name).report-request-to-create",
            "\(name): \(what); 'plimsoll fetch' creates one for the app \(app)",
            hints: ["run 'plimsoll fetch'; the first reports come one to two days later"])
    }

    private mutating func newRequest(for app: String) async throws(ServiceFault) -> String {
        let body = NewReportRequest(app: app)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = (try? encoder.encode(body)).map { [UInt8]($0) } ?? []
        let created = try await parts.client.value(
            AppStoreConnectCreated.self, at: AppStoreConnectEndpoint.newReportRequest(bytes)
        ).value
        warn(
            "report-request-created", "an ongoing report request was created for the app \(app)",
            hints: ["fetch again in one to two days: until then there are no reports"])
        return created.data.id.text
    }

    private func noRequest(_ app: String, isStopped: Bool) -> ServiceFault {
        let name = AppStoreConnectProvider.name
        let what =
            isStopped
            ? "the ongoing report request was stopped, because its reports were not read"
            : "the app has no ongoing report request, so the service makes no reports of it"
        return parts.client.fault(
            .reported(
                .error(
                    "\(name).no-report-request", "\(name): \(what)",
                    at: .address(
                        AppStoreConnectEndpoint.reportRequests(app: app).text(
                            below: configuration.base)),
                    hints: [
                        """
                        write 'createReportRequest: true' and fetch once with a key of the role Admin; the first \
                        reports come one to two days later
                        """
                    ])))
    }
}

/// The body of `POST /v1/analyticsReportRequests`.
private struct NewReportRequest: Encodable {
    struct Content: Encodable {
        var type = "analyticsReportRequests"
        var attributes = ["accessType": "ONGOING"]
        var relationships: [String: [String: Reference]]
    }

    struct Reference: Encodable {
        var type: String
        var id: String
    }

    var data: Content

    init(app: String) {
        data = Content(relationships: ["app": ["data": Reference(type: "apps", id: app)]])
    }
}
