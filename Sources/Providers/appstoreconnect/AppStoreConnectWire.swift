import Foundation

/// A page of a list with the whole address of the next one.
struct AppStoreConnectPage<Element: Decodable & Sendable>: WirePage {
    var data: LossyArray<Element>
    var links: AppStoreConnectLinks?

    var elements: [Element] { data.values }
    var next: String? { links?.nextText }
}

/// Where a list goes on.
struct AppStoreConnectLinks: Decodable, Sendable {
    var next: PageToken?

    var nextText: String? { next.flatMap { $0.text.isEmpty ? nil : $0.text } }
}

/// `GET /v1/apps`, one element.
struct AppStoreConnectApp: Decodable, Sendable {
    var id: WireName
    var attributes: Attributes?

    struct Attributes: Decodable, Sendable {
        var bundleId: WireName?
    }
}

/// A report request; a stopped one makes no reports any more.
struct AppStoreConnectReportRequest: Decodable, Sendable {
    var id: WireName
    var attributes: Attributes?

    struct Attributes: Decodable, Sendable {
        var accessType: WireName?
        var stoppedDueToInactivity: Bool?
    }

    var isStopped: Bool { attributes?.stoppedDueToInactivity == true }
    var isOngoing: Bool { attributes?.accessType.map { $0.text == "ONGOING" } ?? true }
}

/// The answer to a new report request.
struct AppStoreConnectCreated: Decodable, Sendable {
    var data: AppStoreConnectReportRequest
}

/// A report of a request.
struct AppStoreConnectReportEntry: Decodable, Sendable {
    var id: WireName
    var attributes: Attributes

    struct Attributes: Decodable, Sendable {
        var name: WireName
    }
}

/// What was processed of a report on one day.
struct AppStoreConnectInstance: Decodable, Sendable {
    var id: WireName
    var attributes: Attributes

    struct Attributes: Decodable, Sendable {
        var granularity: WireName?
        var processingDate: WireDate
    }
}

/// A part of an instance: a file at an address that opens it to whoever has the address.
struct AppStoreConnectSegment: Decodable, Sendable {
    var id: WireName
    var attributes: Attributes

    struct Attributes: Decodable, Sendable {
        var checksum: WireName?
        var sizeInBytes: Count?
        var url: PageToken
    }
}

/// `{"errors": [{status, code, title, detail}]}`: how the API says no.
struct AppStoreConnectErrors: Decodable, Sendable {
    var errors: LossyArray<Entry>

    struct Entry: Decodable, Sendable {
        var code: Lenient<WireName>?
        var title: Lenient<WireLine>?
        var detail: Lenient<WireLine>?
    }

    /// What a body says, one text an error, at most three; empty when it is in another form.
    static func texts(in body: [UInt8]) -> [String] {
        guard let answer = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return [] }
        return answer.errors.values.prefix(3).compactMap { entry in
            let parts = [
                entry.code?.value?.nonEmpty, entry.title?.value?.nonEmpty, entry.detail?.value?.nonEmpty,
            ]
            let text = parts.compactMap(\.self).joined(separator: ": ")
            return text.isEmpty ? nil : text
        }
    }
}
