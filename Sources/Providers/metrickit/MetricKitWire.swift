import AppHealth

/// One file: a payload, or a list of payloads as a collecting server may write it.
struct MetricKitDocument: Decodable, Sendable {
    var payloads: LossyArray<MetricKitPayload>?
    var only: MetricKitPayload?

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            payloads = try LossyArray(from: decoder)
        } else {
            only = try MetricKitPayload(from: decoder)
        }
    }

    /// The payloads, each with its place in the file.
    var items: [(path: String, payload: MetricKitPayload)] {
        if let only { return [("", only)] }
        return (payloads?.items ?? []).map { ("[\($0.index)].", $0.value) }
    }
}

/// `MXMetricPayload` or `MXDiagnosticPayload`: what one device saw in a span of at most a day.
///
/// Measurements are texts in the words of the device's language ("64 sec", "1,456秒") and are not read.
struct MetricKitPayload: Decodable, Sendable {
    var begin: MetricKitTime
    var end: Lenient<MetricKitTime>?
    var version: Lenient<WireName>?
    var metaData: Lenient<MetaData>?
    var exits: Lenient<Exits>?
    var crashes: LossyArray<MetricKitDiagnostic>?
    var hangs: LossyArray<MetricKitDiagnostic>?
    var cpuExceptions: LossyArray<MetricKitDiagnostic>?
    var diskWrites: LossyArray<MetricKitDiagnostic>?

    /// The app and the device.
    struct MetaData: Decodable, Sendable {
        var build: Lenient<WireLabel>?

        private enum CodingKeys: String, CodingKey {
            case build = "appBuildVersion"
        }
    }

    /// How often the app ended, by reason; a reason that did not occur is absent.
    struct Exits: Decodable, Sendable {
        var foreground: Lenient<[String: Lenient<Count>]>?
        var background: Lenient<[String: Lenient<Count>]>?

        private enum CodingKeys: String, CodingKey {
            case foreground = "foregroundExitData"
            case background = "backgroundExitData"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case metaData
        case begin = "timeStampBegin"
        case end = "timeStampEnd"
        case version = "appVersion"
        case exits = "applicationExitMetrics"
        case crashes = "crashDiagnostics"
        case hangs = "hangDiagnostics"
        case cpuExceptions = "cpuExceptionDiagnostics"
        case diskWrites = "diskWriteExceptionDiagnostics"
    }
}

/// A time as MetricKit writes it: `2020-10-23 23:00:00 +0000`, and without a zone, which is taken as UTC.
struct MetricKitTime: WireValue, Sendable {
    static let expected = "a time such as \"2020-10-23 23:00:00 +0000\""

    var instant: Instant

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        let joined =
            text.utf8.count == 19
            ? text + "Z" : text.replacing(" +", with: "+").replacing(" -", with: "-")
        guard let instant = Instant(joined) else { throw decoder.mismatch(Self.expected) }
        self.instant = instant
    }
}
