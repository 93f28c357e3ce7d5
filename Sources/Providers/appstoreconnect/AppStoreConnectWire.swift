import AppHealth
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

/// The response to a new report request.
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
            ].compactMap(\.self)
            // A title that only repeats the code says nothing more.
            let text = parts.indices.filter { $0 == 0 || parts[$0] != parts[$0 - 1] }.map { parts[$0] }
                .joined(separator: ": ")
            return text.isEmpty ? nil : text
        }
    }
}

/// `GET /v1/builds` with the pre-release versions that the builds belong to.
struct AppStoreConnectBuilds: WirePage {
    var data: LossyArray<Build>
    var included: LossyArray<PreReleaseVersion>?
    var links: AppStoreConnectLinks?

    struct Build: Decodable, Sendable {
        var attributes: Attributes
        var relationships: Relationships?

        struct Attributes: Decodable, Sendable {
            /// The build number.
            var version: WireName
            var uploadedDate: WireInstant?
            var processingState: WireName?
        }

        struct Relationships: Decodable, Sendable {
            var preReleaseVersion: Relation?
        }

        struct Relation: Decodable, Sendable {
            var data: Reference?
        }

        struct Reference: Decodable, Sendable {
            var id: WireName
        }
    }

    struct PreReleaseVersion: Decodable, Sendable {
        var id: WireName
        var attributes: Attributes?

        struct Attributes: Decodable, Sendable {
            /// What users see.
            var version: WireName?
            var platform: Lenient<WireName>?
        }
    }

    var next: String? { links?.nextText }

    /// The builds that were processed and whose version is known.
    var elements: [AppStoreConnectBuild] {
        let versions = Dictionary(
            (included?.values ?? []).compactMap { entry in
                entry.attributes.map { (entry.id.text, $0) }
            }, uniquingKeysWith: { first, _ in first })
        return data.values.compactMap { build in
            guard build.attributes.processingState?.text ?? "VALID" == "VALID",
                let id = build.relationships?.preReleaseVersion?.data?.id.text, let version = versions[id],
                let name = version.version?.nonEmpty
            else { return nil }
            let release = Release(
                version: Version(name, build: build.attributes.version.text),
                releasedAt: build.attributes.uploadedDate?.instant)
            return AppStoreConnectBuild(release: release, platform: version.platform?.value?.nonEmpty)
        }
    }
}
