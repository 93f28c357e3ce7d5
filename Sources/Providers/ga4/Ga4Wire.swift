/// The response of `runReport`: a table whose columns are named by its headers.
struct Ga4Report: Decodable, Sendable {
    var dimensionHeaders: [Header]?
    var metricHeaders: [Header]?
    var rows: LossyArray<Row>?
    /// All rows of the query, on whatever page.
    var rowCount: WireWhole?
    var metadata: Metadata?

    struct Header: Decodable, Sendable {
        var name: WireName
    }

    struct Row: Decodable, Sendable {
        var dimensionValues: [Value]?
        var metricValues: [Value]?
    }

    struct Value: Decodable, Sendable {
        var value: WireName?
    }

    /// What is to be known of the data.
    struct Metadata: Decodable, Sendable {
        var timeZone: WireName?
        var dataLossFromOtherRow: Lenient<Bool>?
        var subjectToThresholding: Lenient<Bool>?
        var samplingMetadatas: Lenient<LossyArray<Sampling>>?
        var emptyReason: Lenient<WireLine>?
        var dataTruncationReasons: Lenient<LossyArray<Truncation>>?
        var schemaRestrictionResponse: Lenient<Restrictions>?
    }

    struct Sampling: Decodable, Sendable {
        var samplesReadCount: WireWhole
        var samplingSpaceSize: WireWhole
    }

    struct Truncation: Decodable, Sendable {
        var dataTruncationMessage: WireLine?
    }

    struct Restrictions: Decodable, Sendable {
        var activeMetricRestrictions: LossyArray<Restriction>?
    }

    struct Restriction: Decodable, Sendable {
        var metricName: WireName?
    }
}

/// The response of `getMetadata`: the metrics that there are. A blocked one is zero in every report.
struct Ga4Metrics: Decodable, Sendable {
    var metrics: LossyArray<Metric>?

    struct Metric: Decodable, Sendable {
        var apiName: WireName?
        var blockedReasons: Lenient<LossyArray<WireName>>?
    }

    /// Those of the wanted metrics that cannot be read: blocked, or not there.
    func blocked(of wanted: [String]) -> Set<String> {
        let known = metrics?.values ?? []
        guard !known.isEmpty else { return [] }
        let open = known.filter { $0.blockedReasons?.value?.values.isEmpty ?? true }
        return Set(wanted).subtracting(open.compactMap { $0.apiName?.text })
    }
}
