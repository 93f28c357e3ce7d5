/// `GET apps/{package}/anomalies`, one page: what the service found odd in its own series.
struct PlayAnomalies: TokenPage {
    static let key = "anomalies"
    var elements: LossyArray<Element>?
    var next: PageToken?

    struct Element: Decodable, Sendable {
        /// `apps/{package}/anomalies/{id}`.
        var name: WireLine
        var timelineSpec: Timeline
        var dimensions: LossyArray<PlayRows.Dimension>?
        var metric: Metric
    }

    /// When it was; the end is not part of it.
    struct Timeline: Decodable, Sendable {
        var aggregationPeriod: WireName?
        var startTime: GoogleDateTime
        var endTime: GoogleDateTime?
    }

    /// Where it was found, with the value that is odd.
    struct Metric: Decodable, Sendable {
        var metric: WireName
        var decimalValue: WireDecimal?
        var decimalValueConfidenceInterval: Interval?
    }

    /// Where the value lies, as far as it is sure.
    struct Interval: Decodable, Sendable {
        var lowerBound: WireDecimal?
        var upperBound: WireDecimal?
    }

    private enum CodingKeys: String, CodingKey {
        case elements = "anomalies"
        case next = "nextPageToken"
    }
}
