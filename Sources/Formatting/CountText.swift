import Estimates

/// A count with a comma between thousands: `51,234`.
package func countText(_ count: Int) -> String {
    let digits = String(count.magnitude).utf8
    if count >= 0, digits.count <= 3 { return String(count) }
    var text = Array((count < 0 ? "−" : "").utf8)
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
        text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
}

/// A count of something: `1 day`, `1,204 days`, `34 crashes`.
///
/// - Parameter many: the word for more than one; nil when it is the one for one and an `s`.
package func countedText(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(countText(count)) \(count == 1 ? one : many ?? one + "s")"
}

/// A number in decimal digits with a comma between thousands: `8133.2` becomes `8,133.2`.
package func groupedText(_ number: String) -> String {
    let whole = number.prefix { $0 != "." }
    guard let count = Int(whole), count >= 1000 else { return number }
    return countText(count) + number[whole.endIndex...]
}

/// An estimate of a count, rounded up to two digits as it deserves: 1,910,126 becomes `2,000,000`.
package func estimateText(_ count: Int) -> String {
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    let (steps, rest) = count.quotientAndRemainder(dividingBy: unit)
    let (rounded, overflow) = (steps + (rest > 0 ? 1 : 0)).multipliedReportingOverflow(by: unit)
    return countText(overflow ? count : rounded)
}

/// An estimate of how many more are needed: `1,100 more sessions`, `1 more user`.
///
/// - Parameter unit: what is counted, as a plural that ends in `s`.
package func moreText(_ count: Int, _ unit: String) -> String {
    "\(estimateText(count)) more \(count == 1 ? String(unit.dropLast()) : unit)"
}

/// A count in at most about four digits and a letter, for axes and tiles: `950`, `51.2k`, `3M`, `1.5B`,
/// `1,000T`.
package func compactCountText(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e18 else { return decimalText(value, decimals: 0) }
    let steps: [(limit: Double, unit: Double, letter: String)] = [
        (999.95e9, 1e12, "T"), (999.95e6, 1e9, "B"), (999_950, 1e6, "M"), (9999.5, 1e3, "k"),
    ]
    guard let step = steps.first(where: { value.magnitude >= $0.limit }) else {
        return value == value.rounded() ? countText(Int(value)) : decimalText(value, decimals: 1)
    }
    let scaled = value / step.unit
    if scaled.magnitude >= 999.95 { return countText(Int(scaled.rounded())) + step.letter }
    let text = decimalText(scaled, decimals: 1)
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + step.letter
}

/// A number of bytes as people read it: `1.3 TB`, `14.4 MB`, `37 kB`, `512 bytes`; thousands, not 1,024.
package func sizeText(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    if bytes < 999_500 { return "\(countText((bytes + 500) / 1000)) kB" }
    let number = Double(bytes)
    if number < 9.9995e8 { return "\(decimalText(number / 1e6, decimals: 1)) MB" }
    if number < 9.9995e11 { return "\(decimalText(number / 1e9, decimals: 1)) GB" }
    return "\(decimalText(number / 1e12, decimals: 1)) TB"
}

extension StringProtocol {
    /// The text with its first letter in upper case, as labels and sentences begin: `Meets target`.
    package var sentenceCased: String {
        // A sign of ASCII with another one, or none, behind it is a character of its own.
        var bytes = Array(utf8)
        guard let first = bytes.first, first < 0x80, bytes.count == 1 || bytes[1] < 0x80 else {
            return prefix(1).uppercased() + dropFirst()
        }
        guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return String(self) }
        bytes[0] = first & 0xDF
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Levels that a person or the field set, and how precise a rate should be.
extension PercentFormat {
    /// A level with no more decimals than it has, at most four: `99.5%`.
    package static func levelText(_ level: Double) -> String { levelNumber(level) + unit }

    /// A level as a bare number of percent: `99.5`.
    package static func levelNumber(_ level: Double) -> String {
        trimmedDecimalText(level * 100, decimals: 4)
    }

    /// How many more a sample needs for its rate: `about 1,100 more sessions needed for ±0.5 pp`.
    package static func neededText(_ needed: Int, unit: String, halfWidth: Double = wantedHalfWidth) -> String
    {
        "about \(moreText(needed, unit)) needed for \(precisionText(halfWidth))"
    }

    /// Half the width of an interval: `±0.5 pp`.
    package static func precisionText(_ halfWidth: Double = wantedHalfWidth) -> String {
        "±" + trimmedPointsText(halfWidth * 100, decimals: 2)
    }
}

/// The standard confidence in words: `95%`.
package let standardConfidenceText = PercentFormat.levelText(standardConfidence)

/// A difference of rates in percentage points without a plus sign: `0.84 pp`, `−0.04 pp`. A no-break space
/// keeps number and unit on one line.
package func pointsText(_ points: Double, decimals: Int) -> String {
    decimalText(points, decimals: decimals) + pointsUnit
}

/// A difference in percentage points with at most so many decimals, without zeros at the end: `0.5 pp`.
package func trimmedPointsText(_ points: Double, decimals: Int) -> String {
    trimmedDecimalText(points, decimals: decimals) + pointsUnit
}

/// Percentage points behind a number, with the no-break space before them.
let pointsUnit = "\u{A0}pp"

/// The decimal digits of a number, rounded half away from zero from its exact binary value.
///
/// Written without a formatter, so that the locale of a machine never changes a page. Negative numbers carry
/// a minus sign (U+2212), zero never does. `decimals` is held within 0…9. Numbers of 10^18 and more are
/// written with a power of ten; a value that is no number is a dash.
package func decimalText(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    let decimals = min(max(decimals, 0), 9)
    guard let digits = scaledMagnitude(value, decimals: decimals) else { return "\(value)" }
    return (value < 0 && digits > 0 ? "−" : "") + fixedPoint(digits, decimals: decimals)
}

/// The decimal digits of a number with at most so many decimals, without zeros at the end: `99.5`, `5`.
package func trimmedDecimalText(_ value: Double, decimals: Int) -> String {
    let text = decimalText(value, decimals: decimals)
    guard text.contains(".") else { return text }
    var digits = text[...]
    while digits.last == "0" { digits = digits.dropLast() }
    return String(digits.last == "." ? digits.dropLast() : digits)
}

/// The magnitude times a power of ten, rounded half up; nil from 10^18 on.
///
/// The fraction is a multiple of 2^-90 unless it lies far below every half step, so the product is exact.
func scaledMagnitude(_ value: Double, decimals: Int) -> UInt128? {
    let magnitude = value.magnitude
    guard magnitude < 1e18 else { return nil }
    let whole = magnitude.rounded(.down)
    let power = powerOfTen(decimals)
    let fraction = UInt128((magnitude - whole) * 0x1p90) * power
    let half: UInt128 = 1 << 89
    return UInt128(whole) * power + ((fraction + half) >> 90)
}

/// A number of units of 10^-decimals as text: 9912 with two decimals is `99.12`.
func fixedPoint(_ units: UInt128, decimals: Int) -> String {
    // Division of 128 bits takes ten times as long.
    units <= UInt64.max ? fixedPointText(UInt64(units), decimals) : fixedPointText(units, decimals)
}

private func fixedPointText<Number: UnsignedInteger>(_ units: Number, _ decimals: Int) -> String {
    // 39 digits and a stop are the most that 128 bits need.
    String(unsafeUninitializedCapacity: 48 + max(decimals, 0)) { text in
        var (rest, written) = (units, 0)
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            text[written] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            written += 1
            if written == decimals {
                text[written] = UInt8(ascii: ".")
                written += 1
            }
            rest = quotient
        } while rest > 0 || (decimals > 0 && written <= decimals + 1)
        var digits = text[..<written]
        digits.reverse()
        return written
    }
}

/// 10^exponent for exponents 0…15.
func powerOfTen(_ exponent: Int) -> UInt128 { powersOfTen[min(max(exponent, 0), 15)] }

private let powersOfTen: [UInt128] = (0...15).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}
