import Diagnostics

/// What the service says of its own figures: sampled, thresholded, rolled up, cut, empty for a reason.
func ga4Warnings(_ metadata: Ga4Report.Metadata?, at endpoint: String) -> [Diagnostic] {
    guard let metadata else { return [] }
    let quality = Ga4DataQuality(metadata: metadata, endpoint: endpoint)
    return quality.sampled + quality.flags + quality.truncated + quality.empty + quality.restricted
}

private struct Ga4DataQuality {
    let metadata: Ga4Report.Metadata
    let endpoint: String

    /// One entry for each range of dates that was sampled.
    var sampled: [Diagnostic] {
        (metadata.samplingMetadatas?.value?.values ?? []).map { sampling in
            let (read, all) = (sampling.samplesReadCount.value, sampling.samplingSpaceSize.value)
            return warning(
                "sampled", "figures are estimated from a sample", "samplingMetadatas",
                ["\(read) of \(all) events were read"], hints: ["ask for fewer days"])
        }
    }

    var flags: [Diagnostic] {
        let thresholded = warning(
            "thresholded", "figures below a minimum of users may be left out", "subjectToThresholding",
            hints: ["look into the property's reporting identity"])
        let other = warning(
            "other-row", "a part of the data is rolled up into the row (other)", "dataLossFromOtherRow")
        return (metadata.subjectToThresholding?.value == true ? [thresholded] : [])
            + (metadata.dataLossFromOtherRow?.value == true ? [other] : [])
    }

    var truncated: [Diagnostic] {
        (metadata.dataTruncationReasons?.value?.values ?? []).map { reason in
            warning(
                "truncated", "a part of the days is cut", "dataTruncationReasons",
                [reason.dataTruncationMessage?.nonEmpty].compactMap { $0.map(printable) })
        }
    }

    var empty: [Diagnostic] {
        guard let reason = metadata.emptyReason?.value?.nonEmpty else { return [] }
        return [
            warning("empty", "the report is empty", "emptyReason", ["reason: \(printable(reason))"])
        ]
    }

    var restricted: [Diagnostic] {
        let all = metadata.schemaRestrictionResponse?.value?.activeMetricRestrictions?.values ?? []
        let names = all.compactMap { $0.metricName?.nonEmpty }
        guard !names.isEmpty else { return [] }
        return [
            warning(
                "restricted", "the account may not see all metrics", "schemaRestrictionResponse",
                [printable(names.joined(separator: ", "))])
        ]
    }

    private func warning(
        _ id: String, _ summary: String, _ member: String, _ details: [String] = [],
        hints: [String] = []
    ) -> Diagnostic {
        .warning(
            "ga4.\(id)", "ga4: \(summary)", details: details,
            at: .keyPath(document: endpoint, path: "metadata.\(member)"), hints: hints)
    }
}
