import AppHealth

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
        }
    }

    var next: String? { links?.nextText }

    /// The builds that were processed and whose version is known.
    var elements: [Release] {
        let names = Dictionary(
            (included?.values ?? []).compactMap { entry in
                entry.attributes?.version?.nonEmpty.map { (entry.id.text, $0) }
            }, uniquingKeysWith: { first, _ in first })
        return data.values.compactMap { build in
            guard build.attributes.processingState?.text ?? "VALID" == "VALID",
                let id = build.relationships?.preReleaseVersion?.data?.id.text, let name = names[id]
            else { return nil }
            return Release(
                version: Version(name, build: build.attributes.version.text),
                releasedAt: build.attributes.uploadedDate?.instant)
        }
    }
}
