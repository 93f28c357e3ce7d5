import Diagnostics
import Settings
import Transport

extension TargetDescriptor {
    /// A bucket of AWS S3 or of a service that speaks its language.
    package static let s3 = TargetDescriptor(
        BlockSchema(
            "s3", title: "S3", summary: "A bucket of AWS S3, or of a service that speaks its language",
            keys: [
                .required("bucket", example: "stability-reports", "name of the bucket"),
                .optional("prefix", example: "apps", "folder in the bucket"),
                .optional(
                    "region", .textOrVariable, example: "eu-central-1",
                    "region of the bucket (default: AWS_REGION, else what the service says)"),
                .optional(
                    "endpoint", .textOrVariable, example: "https://minio.example",
                    "URL of the service (default: AWS)"),
                .optional(
                    "addressing", .choice(["auto", "path", "host"]), else: "auto",
                    "whether the bucket is in the path or in the host; auto: host for AWS, path otherwise"),
                .optional("accessKey", .textOrVariable, example: "${S3_ACCESS_KEY}", "id of the access key"),
                .optional(
                    "secretKey", .secret(.variable), example: "S3_SECRET_KEY", "secret of the access key"),
                .optional(
                    "sessionToken", .secret(.variable), example: "S3_SESSION_TOKEN",
                    "token of temporary credentials"),
                .optional(
                    "credentials", .path, example: "s3-credentials",
                    "file with profiles, as AWS's own tools use"),
                .optional(
                    "profile", example: "reports", "profile of that file (default: AWS_PROFILE, else default)"
                ),
                .optional(
                    "cache", .number(0...31_536_000), else: "300",
                    "seconds for which browsers may keep files other than fingerprinted assets"),
                .optional("gzip", .flag, else: "false", "store texts compressed"),
                .optional(
                    "conditions", .flag, else: "true",
                    "use conditional writes, which keep two publications apart"),
            ]),
        needs:
            "`s3:PutObject`, `s3:GetObject` and `s3:DeleteObject` on the objects, `s3:ListBucket` on the bucket"
    ) { setup throws(Diagnostic) in
        let place = try S3Place(setup)
        let origin = try S3KeyRing.Origin.find(setup, region: place.region)
        var roleSender = setup.sender(place.origin)
        if case .webIdentity(_, _, _, let service) = origin { roleSender = setup.sender(service.origin) }
        let keys = S3KeyRing(origin, sender: setup.retrying(roleSender), pacing: setup.pacing)
        let sender = S3Sender(place, keys: keys, pacing: setup.pacing, sender: setup.sender)
        return StoreTarget(
            S3Store(
                location: place, sender: setup.retrying(sender), keys: keys,
                pageSeconds: setup.number("cache", else: 300), compresses: setup.flag("gzip"),
                isConditional: setup.flag("conditions"),
                timeoutMilliseconds: setup.timeoutMilliseconds))
    }
}

extension TargetSetup {
    /// The sender, which tries again what deserves it.
    fileprivate func retrying(_ sender: any Sender) -> RetryingClient {
        RetryingClient(sender, policy: retries, pacing: pacing)
    }
}

/// A folder in a bucket.
struct S3Place: Sendable {
    let bucket: String
    /// Empty, or with a slash at its end.
    let prefix: String
    let region: String
    let origin: Origin
    /// What comes before a key in an address.
    private let base: String
    /// The service in another region; nil for a service that has one address.
    private let isRegional: Bool
    private let isInHost: Bool

    /// Where a bucket is.
    struct Home: Sendable {
        let region: String
        let origin: Origin
        fileprivate let base: String
    }

    /// Where it is, as far as the configuration says.
    var home: Home { Home(region: region, origin: origin, base: base) }

    /// Where it is in another region: at another host of the same service, never of another one.
    func home(in region: String) -> Home? {
        guard isRegional else { return Home(region: region, origin: origin, base: base) }
        let service = awsHost("s3", in: region)
        let base =
            isInHost ? "https://\(bucket).\(service)/" : "https://\(service)/\(percentEncoded(bucket))/"
        return (try? Address(base)).map { Home(region: region, origin: $0.origin, base: base) }
    }

    /// An address here as one at another home.
    func moved(_ address: Address, to home: Home) throws(AddressError) -> Address {
        home.base == base ? address : try Address(home.base + address.text.dropFirst(base.utf8.count))
    }

    init(_ setup: TargetSetup) throws(Diagnostic) {
        let environment = setup.environment.filter { !$0.value.isEmpty }
        bucket = try setup.required("bucket")
        guard
            (3...255).contains(bucket.utf8.count),
            bucket.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._".utf8.contains($0) }), bucket != "..."
        else {
            throw .usage(
                "publish.bucket", "'\(bucket)' is not the name of a bucket",
                hints: ["use its name alone, without s3:// and without a folder"])
        }
        let given = (setup.text("prefix") ?? "").split(separator: "/").joined(separator: "/")
        guard given.isEmpty || isSafePath(given) else {
            throw .usage("publish.prefix", "'\(given)' is not a folder", hints: ["write it as a/b"])
        }
        prefix = given.isEmpty ? "" : given + "/"
        region =
            setup.text("region") ?? environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"]
            ?? "us-east-1"
        let named = setup.text("endpoint") ?? environment["AWS_ENDPOINT_URL_S3"]
        let service = try s3Address(named ?? "https://\(awsHost("s3", in: region))")
        guard service.origin.scheme != .file, service.query == nil else {
            throw .usage("publish.endpoint", "'endpoint' is not the URL of a service")
        }
        let folder = service.path.split(separator: "/").map { "/\($0)" }.joined()
        isRegional = named == nil
        isInHost =
            switch setup.text("addressing") {
            case "path": false
            case "host": true
            // The certificate of the service names one label before its own name.
            default: named == nil && !bucket.contains(".")
            }
        if isInHost {
            let parts = service.origin.description.split(separator: "//", maxSplits: 1)
            base = "\(parts[0])//\(bucket).\(parts.last ?? "")\(folder)/"
        } else {
            base = "\(service.origin)\(folder)/\(percentEncoded(bucket))/"
        }
        origin = try s3Address(base).origin
    }

    /// Where it is, for people.
    var text: String { "s3://\(bucket)/\(prefix)" }

    /// The address of a file.
    func address(of path: PublishedPath) throws(Diagnostic) -> Address {
        let steps = (prefix + path.text).utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let encoded = steps.map { percentEncoded(String(decoding: $0, as: UTF8.self)) }
        return try s3Address(base + encoded.joined(separator: "/"))
    }

    /// The address of a question to the bucket itself; the items get their order here.
    func address(query items: [(String, String)]) throws(Diagnostic) -> Address {
        try s3Address("\(base)?\(formText(items.sorted { $0.0 < $1.0 }))")
    }
}

private func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}

/// The host of a service of AWS in a region; those of China have a domain of their own.
func awsHost(_ service: String, in region: String) -> String {
    "\(service).\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
}
