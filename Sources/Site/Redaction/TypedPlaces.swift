import Analysis
import AppHealth
import Pages

/// The first value of a file that is in a place for hidden things, however small it is: a number under
/// `Users`, a file under `file`.
///
/// Needs no knowledge of the apps; the places are those of the data files, of the tables and of the tiles of every
/// theme that names its columns in words.
///
/// - Parameter shown: texts that look like such a value and are none.
func typedLeak(
    in bytes: [UInt8], of path: String, leavingOut rules: Set<RedactionRule>, shown: ShownTexts = ShownTexts()
) -> Leak? {
    guard !rules.isEmpty else { return nil }
    let isData = path.hasSuffix(".csv") || path.hasSuffix(".json")
    return labelledValues(in: bytes, of: path).lazy.filter { !shown.hold($0) }.compactMap { value in
        rule(broken: value, isData: isData).flatMap { rules.contains($0) ? $0 : nil }.map {
            Leak(SensitiveText($0, value.value, app: nil), line: value.line ?? 1)
        }
    }.first
}

private func rule(broken value: LabelledValue, isData: Bool) -> RedactionRule? {
    if isData {
        switch value.label {
        case "file", "line": return value.value.isEmpty ? nil : .codePlace
        case _ where countColumns.contains(value.label): return value.value.isEmpty ? nil : .count
        case "count": return wholeNumber(value.value).map { $0 > 100 } == true ? .count : nil
        default: return nil
        }
    }
    return isCount(value.value, under: value.label) ? .count : nil
}

/// Whether a text under a label is a count of use.
func isCount(_ value: String, under label: String) -> Bool {
    // A number of some days has them after it: "412 (28 days)".
    isCountLabel(label.lowercased()) && wholeNumber(value.prefix { $0 != " " }) != nil
        && (!value.contains(" ") || value.contains(" ("))
}

/// Whether a text in lower case is what tables, tiles and lists call a count of use.
///
/// A column of users has the time over which they are counted after it: "users, 28 days".
func isCountLabel(_ label: String) -> Bool { countLabels.contains(label) || label.hasPrefix("users, ") }

/// A number written with digits and perhaps commas between thousands, and nothing else.
private func wholeNumber(_ text: some StringProtocol) -> Int? {
    guard text.utf8.first.map(isDigit) == true, text.utf8.allSatisfy({ isDigit($0) || $0 == 0x2C }) else {
        return nil
    }
    return Int(String(text).filter { $0 != "," })
}
