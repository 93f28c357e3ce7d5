import Formatting
import Statistics

/// What the values of a chart measure.
package enum ChartUnit: Hashable, Sendable {
    /// A rate in 0…1, shown in percent; values outside count as missing.
    case rate
    /// A number of things.
    case count
}

extension ChartUnit {
    /// Whether a value can be one of this unit.
    func admits(_ value: Double) -> Bool {
        self == .rate ? value >= 0 && value <= 1 : value.magnitude <= 1e18
    }

    /// The value in the unit of the axis: percent for a rate.
    func onAxis(_ value: Double) -> Double { self == .rate ? value * 100 : value }

    /// A value as text, with as many decimals as its precision allows.
    func text(_ value: Double, _ precision: PercentFormat) -> String {
        switch self {
        case .rate: precision.text(value)
        case .count where value == value.rounded() && value.magnitude < 1e15: countText(Int(value))
        case .count: decimalText(value, decimals: value.magnitude < 1e15 ? 1 : 0)
        }
    }

    /// A level that a person set, with no more decimals than it has: `99.5%`.
    func levelText(_ value: Double) -> String {
        self == .rate ? PercentFormat.levelText(value) : text(value, PercentFormat(decimals: 2))
    }
}
