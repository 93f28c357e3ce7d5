import AppHealth

extension RevisionTable {
    static let deviceDays = RevisionTable(
        "device_day", key: ["date", "device"], values: ["crashes"], parts: [["crashes"]])
}

extension RevisionWriter {
    mutating func write(_ day: DeviceDay) throws -> Bool {
        try write(
            [Field(day.crashes)],
            of: [Field(source), Field(day.date.daysSinceEpoch), Field(day.device.composed)], to: .deviceDays)
    }
}

extension RevisionReader {
    /// Counts by day of devices, ordered by date, then by the bytes of the device's name.
    mutating func deviceDays() throws -> [DeviceDay] {
        try rows(of: .deviceDays, about: { FactSubject(day: $0.date) }) { columns in
            DeviceDay(
                date: try columns.date(), device: try columns.text(), crashes: try columns.optionalInteger())
        }
    }
}
