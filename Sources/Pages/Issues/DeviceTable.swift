import Analysis
import AppHealth
import Formatting
package import Templates

/// Crashes by kind of device.
package struct DeviceTable: TemplateModel, Hashable {
    package static let modelName = "device-table"
    package var span: String
    package var partial: String?
    package var rows: [DeviceRow]
    package var hidesCounts: Bool

    package static let fields: [Field<DeviceTable>] = [
        .text(
            "span",
            "What is counted over, such as `28 days to Thu, Nov 19, 2026`, and the source where it isn't that of the issues",
            \.span),
        .optionalText(
            "partial", "How many of these days are known, and that counts are too low; absent when all are",
            \.partial),
        .list("rows", "The kinds of device, most crashes first", \.rows),
        .flag("hidesCounts", "True when numbers of crashes are hidden", \.hidesCounts),
    ]
}

/// The crashes on one kind of device.
package struct DeviceRow: TemplateModel, Hashable {
    package static let modelName = "device-row"
    package var device: String
    package var crashes: String
    package var share: String

    package static let fields: [Field<DeviceRow>] = [
        .text("device", "The source's name of the kind of device, such as `iPhone`", \.device),
        .text("crashes", "Crash events of these days", \.crashes),
        .text("share", "Of all crashes of these days, such as `41%`; `–` when there are none", \.share),
    ]
}

extension DeviceTable {
    /// - Parameter issues: the source of the other crashes of the page.
    init(_ counts: DeviceCounts, otherThan issues: SourceFacts?, in scope: AppScope) {
        let length = counts.window.lowerBound.days(to: counts.window.upperBound) + 1
        let isOfAnother = issues.map { $0.source.id != counts.source } ?? false
        self.span =
            "\(length) days to \(counts.window.upperBound.compactText)"
            + (isOfAnother ? ", from '\(counts.source)', which counts other crashes than the list above" : "")
        self.partial = partialText(counts, of: length)
        self.rows = counts.devices.map { DeviceRow($0, in: scope) }
        self.hidesCounts = scope.hidesCounts
    }
}

extension DeviceRow {
    fileprivate init(_ count: DeviceCount, in scope: AppScope) {
        device = count.device
        crashes = scope.hidesCounts ? "–" : scope.countOrDash(count.crashes)
        share = count.share.map { PercentFormat(decimals: 1).text($0.numerator, of: $0.denominator) } ?? "–"
    }
}

/// `Known on 23 of 28 days; partial coverage: counts are too low.`
private func partialText(_ counts: DeviceCounts, of length: Int) -> String? {
    let isPartial = counts.coverage.isPartial
    guard counts.knownDays < length else {
        return isPartial ? "Partial coverage: counts are too low." : nil
    }
    let known = "Known on \(counts.knownDays) of \(length) days"
    return isPartial ? "\(known); partial coverage: counts are too low." : "\(known)."
}
