package import AppHealth
package import Diagnostics

/// A provider that sends queries to a warehouse, which can be read and tried one by one.
package protocol Warehouse: Provider {
    /// The queries that a fetch would send, with the values of their parameters.
    func statements(for app: App, at now: Instant) -> [WarehouseStatement]

    /// Runs each query for a few rows.
    func trials(of app: App, at now: Instant) async -> [WarehouseTrial]

    /// What each query would read, without running it.
    func forecasts(for app: App, at now: Instant) async -> [WarehouseForecast]

    /// The most bytes that one query may read; nil for no limit.
    var mostBytes: Int? { get }

    /// What reading costs; nil when it is not stated.
    var price: WarehousePrice? { get }
}

/// A query as a person reads it.
package struct WarehouseStatement: Hashable, Sendable {
    /// Its name, such as `release_days`.
    package let name: String
    /// Where it is from: a file, or a preset.
    package let place: String
    package let text: String
    /// The values of the parameters that it has, by name.
    package let parameters: [String: String]
}

/// What a query answered.
package struct WarehouseTrial: Sendable {
    /// The most rows of a trial.
    static let mostRows = 10

    /// The query's name; empty when not even the server was reached.
    package let name: String
    /// The first rows as text, below the names of the columns; or why there are none.
    package let rows: Result<[[String]], Diagnostic>
    /// What was skipped.
    package let warnings: [Diagnostic]
}

extension WarehouseCell {
    /// The value for a person.
    var shown: String {
        switch self {
        case .text(let text): printable(text)
        case .null, .integer, .number, .flag: words
        }
    }
}
