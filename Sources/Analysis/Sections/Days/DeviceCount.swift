package import AppHealth

/// The crashes of a window on one kind of device.
package struct DeviceCount: Hashable, Codable, Sendable {
    /// The source's name of the kind of device.
    package let device: String
    /// Crash events on the days that are known.
    package let crashes: Int
    /// These of all that the source counted by device on the same days; nil when it counted none.
    package internal(set) var share: Fraction?
}

/// Crashes by kind of device, of the days of a window that a source knows.
package struct DeviceCounts: Hashable, Codable, Sendable {
    /// Each kind of device, most crashes first.
    package internal(set) var devices: [DeviceCount]
    /// The days of the window.
    package let window: ClosedRange<CivilDate>
    /// How many of them have a count of any device.
    package let knownDays: Int
    /// How much of these days was reported.
    package let coverage: Coverage
    /// The source that counts by device. It may be another one than that of the issues, and count other crashes.
    package let source: Slug

    /// Nil when no day of the window is known.
    init?(_ index: HistoryIndex, window: ClosedRange<CivilDate>) {
        let source = index.sources.first { $0.capturedAt != nil && !$0.deviceDays.isEmpty }
        let last = index.lastDay(of: source)
        let days = (source?.deviceDays ?? []).filter {
            window.contains($0.date) && $0.date <= last && $0.crashes != nil
        }
        guard let source, !days.isEmpty else { return nil }
        let counts = days.reduce(into: [String: Int]()) { counts, day in
            counts[day.device, default: 0] += day.crashes ?? 0
        }
        let all = counts.values.reduce(0, +)
        let known = Set(days.map(\.date))
        let stated = known.map { source.coverage(.crashes, on: $0) }
        self.devices =
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { DeviceCount(device: $0.key, crashes: $0.value, share: Fraction($0.value, of: all)) }
        self.window = window
        self.knownDays = known.count
        self.source = source.source.id
        self.coverage =
            stated.contains(where: \.isPartial)
            ? .partial(counted: nil, of: nil) : stated.allSatisfy(\.isComplete) ? .complete : .unknown
    }
}
