import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one property.
struct Ga4Run {
    var parts: PartialFetch
    private let configuration: Ga4Configuration

    init(_ configuration: Ga4Configuration, sender: TokenSender) {
        self.configuration = configuration
        parts = PartialFetch(
            Ga4Provider.service.client(
                base: configuration.base, sender: sender, limits: configuration.limits,
                most: configuration.mostRequests))
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        var snapshot = Snapshot(
            app: app, source: ga4Source(configuration, zone: nil), capturedAt: now)
        var offset = 0
        var zone: String?
        while let page = await page(from: offset, into: &snapshot) {
            zone = zone ?? page.zone
            offset += page.rows
            if page.rows == 0 || offset >= page.all { break }
        }
        try parts.checkParts()
        if let zone {
            snapshot.source = ga4Source(configuration, zone: zone)
        } else {
            parts.add([
                .warning(
                    "ga4.zone", "ga4: the answer does not name the property's zone; UTC is assumed")
            ])
        }
        snapshot.warnings = parts.warnings
        return snapshot
    }

    private mutating func page(
        from offset: Int, into snapshot: inout Snapshot
    ) async -> (rows: Int, all: Int, zone: String?)? {
        let call = Ga4Request.call(configuration, offset: offset)
        guard let (report, found) = await parts.value(Ga4Report.self, at: call) else { return nil }
        var losses = found
        let known = Set(snapshot.usage.map(\.date))
        snapshot.usage += ga4Days(report, losses: &losses).filter { !known.contains($0.date) }
        snapshot.usage.sort { $0.date < $1.date }
        if offset == 0 {
            parts.add(ga4Warnings(report.metadata, at: call.text(below: configuration.base)))
        }
        parts.add(losses.warnings)
        let zone = report.metadata?.timeZone?.nonEmpty
        let rows = report.rows?.items.last.map { $0.index + 1 } ?? 0
        return (rows, report.rowCount?.value ?? 0, zone)
    }
}

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
