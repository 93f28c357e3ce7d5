/// A rate kept as what it was counted from: so many of so many.
///
/// Rates are kept as numerator and denominator and divided at the last moment.
package struct Fraction: Hashable, Sendable {
    /// How many had the property; 0…denominator.
    package let numerator: Int
    /// How many there were in all; more than zero.
    package let denominator: Int

    /// The fraction, or nil when there is no such rate: nothing was counted, or the part exceeds the whole.
    package init?(_ numerator: Int, of denominator: Int) {
        guard denominator > 0, numerator >= 0, numerator <= denominator else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The rate as a number in 0…1.
    package var value: Double { Double(numerator) / Double(denominator) }

    /// Those without the property, of the same whole: crashed sessions become crash-free ones.
    package var complement: Fraction { Fraction(trusted: denominator - numerator, denominator) }

    private init(trusted numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }
}
