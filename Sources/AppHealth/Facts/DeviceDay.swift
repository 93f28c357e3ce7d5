/// What one source counted on one kind of device, all releases together, on one day.
///
/// How much of it the source reported is the coverage of `crashes`.
package struct DeviceDay: Hashable, Codable, Sendable {
    /// The day, in the source's zone.
    package var date: CivilDate
    /// The source's name of the kind of device, such as `iPhone`.
    package var device: String
    /// Crash events of the day; nil when the source does not report.
    package var crashes: Int?

    /// Makes a day.
    package init(date: CivilDate, device: String, crashes: Int?) {
        self.date = date
        self.device = device
        self.crashes = crashes
    }
}
