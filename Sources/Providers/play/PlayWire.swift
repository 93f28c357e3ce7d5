/// `GET apps/{package}/{metric set}`.
struct PlayMetricSet: Decodable, Sendable {
    var freshnessInfo: Info?

    struct Info: Decodable, Sendable {
        var freshnesses: LossyArray<Freshness>?
    }

    /// Until when there is data of one period.
    struct Freshness: Decodable, Sendable {
        var aggregationPeriod: WireName?
        var latestEndTime: GoogleDateTime
    }

    /// The end of the last day.
    var lastDay: GoogleDateTime? {
        freshnessInfo?.freshnesses?.values.first { $0.aggregationPeriod?.text == "DAILY" }?
            .latestEndTime
    }
}

/// `POST apps/{package}/{metric set}:query`, one page. A day below the threshold of privacy has no row.
struct PlayRows: TokenPage {
    static let key = "rows"
    var elements: LossyArray<Row>?
    var next: PageToken?

    struct Row: Decodable, Sendable {
        var aggregationPeriod: WireName?
        var startTime: GoogleDateTime
        var dimensions: LossyArray<Dimension>?
        var metrics: LossyArray<Metric>?

        func number(_ name: String) -> Double? {
            metrics?.values.first { $0.metric.text == name }?.decimalValue?.number
        }

        func dimension(_ name: String) -> String? {
            guard let found = dimensions?.values.first(where: { $0.dimension.text == name }) else {
                return nil
            }
            return found.text
        }
    }

    struct Dimension: Decodable, Sendable {
        var dimension: WireName
        var stringValue: WireName?
        var int64Value: WireWhole?
        /// A name for people, in English.
        var valueLabel: WireName?

        /// The value, of whichever kind it is.
        var text: String? { stringValue?.nonEmpty ?? int64Value.map { String($0.value) } }
    }

    struct Metric: Decodable, Sendable {
        var metric: WireName
        var decimalValue: WireDecimal?
    }

    private enum CodingKeys: String, CodingKey {
        case elements = "rows"
        case next = "nextPageToken"
    }
}

/// `GET apps/{package}/errorIssues:search`, one page.
struct PlayIssues: TokenPage {
    static let key = "errorIssues"
    var elements: LossyArray<Element>?
    var next: PageToken?

    struct Element: Decodable, Sendable {
        /// `apps/{package}/{id}`.
        var name: WireLine
        var type: WireName?
        /// The class of the exception, the signal, or the type of ANR.
        var cause: WireLine?
        /// The method or the activity.
        var location: WireLine?
        var errorReportCount: WireWhole?
        var distinctUsers: WireWhole?
        var lastAppVersion: AppVersion?
        var lastErrorReportTime: WireInstant?
        var issueUri: WireLine?
    }

    struct AppVersion: Decodable, Sendable {
        var versionCode: WireWhole?
    }

    private enum CodingKeys: String, CodingKey {
        case elements = "errorIssues"
        case next = "nextPageToken"
    }
}

/// `GET apps/{package}:fetchReleaseFilterOptions`.
struct PlayReleaseOptions: Decodable, Sendable {
    var tracks: LossyArray<Track>?

    struct Track: Decodable, Sendable {
        var servingReleases: LossyArray<Release>?
    }

    struct Release: Decodable, Sendable {
        var displayName: WireName?
        var versionCodes: LossyArray<WireWhole>?
    }
}

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
