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
