/// One shipped version of an app.
package struct Release: Hashable, Codable, Sendable {
    /// Its label and build.
    package var version: Version
    /// When it was first seen in users' hands; nil when the source does not say.
    package var releasedAt: Instant?
    /// The day on which it was released in the zone of its source; nil where that is not known.
    package var releasedOn: CivilDate?
    /// What the source counts over the whole life of the release; nil when it does not.
    package var lifetime: ReleaseTotals?

    /// Makes a release.
    package init(version: Version, releasedAt: Instant?, lifetime: ReleaseTotals? = nil) {
        self.version = version
        self.releasedAt = releasedAt
        self.lifetime = lifetime
    }

    /// The day on which it was released: that of its source, or of UTC where the zone is not known.
    package var releaseDay: CivilDate? { releasedOn ?? releasedAt?.date }
}

/// Counts over the whole life of a release, as the source gives them.
package struct ReleaseTotals: Hashable, Codable, Sendable {
    /// All sessions.
    package var sessions: Int?
    /// Sessions that ended in a crash or an unhandled error.
    package var crashedSessions: Int?
    /// Sessions of the last 24 hours before the capture.
    package var sessionsLastDay: Int?

    /// Makes the counts.
    package init(sessions: Int?, crashedSessions: Int?, sessionsLastDay: Int?) {
        self.sessions = sessions
        self.crashedSessions = crashedSessions
        self.sessionsLastDay = sessionsLastDay
    }
}

/// The label of a release, with its build number where there is one, ordered as versions are.
///
/// Numeric parts are compared as numbers, a pre-release (`4.2.0-beta.1`, `4.2.0rc1`) comes before its release, and the
/// build, also one in brackets behind the label, breaks a tie (Semantic Versioning 2.0.0 §11, extended by the build,
/// which app stores count up). Labels with words before their number, such as `ios-4.2`, are a line of their own, and one
/// without a number, such as `nightly` or a commit, is one by itself: they come before all that are numbers. Of labels
/// without a number whose builds are numbers, as of releases that have names, the builds say which is newer.
package struct Version: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// What users see: `4.2.1`.
    package let label: String
    /// What the build system counts: `370`; empty when unknown.
    package let build: String

    /// The version with this label and build.
    package init(_ label: String, build: String = "") {
        self.label = label
        self.build = build
    }

    /// `4.2.1 (370)`, or the label alone.
    package var description: String { build.isEmpty ? label : "\(label) (\(build))" }

    package static func < (lhs: Version, rhs: Version) -> Bool {
        order(VersionParts(lhs), VersionParts(rhs)) ?? ((lhs.label, lhs.build) < (rhs.label, rhs.build))
    }

    /// Whether it is an older version than the other; of two ways to write one version, such as `4.2` and
    /// `v4.2.0`, neither comes before the other.
    package func comes(before other: Version) -> Bool {
        order(VersionParts(self), VersionParts(other)) == true
    }

    /// Whether it is the other one or a later one. Of different lines nothing is known: `nightly` is neither 4.2 nor later.
    package func isAtLeast(_ other: Version) -> Bool {
        let (left, right) = (VersionParts(self), VersionParts(other))
        return left.line == right.line && order(left, right) != true
    }

    /// The version without its build, the same for all ways to write it: of `4.2`, `v4.2.0` and `4.2.0 (370)`.
    package var withoutBuild: String {
        let parts = VersionParts(self)
        let zeros = parts.release.reversed().prefix { $0 == .number(0) }.count
        let number = parts.release.dropLast(zeros).map(\.text).joined(separator: ".")
        let prerelease =
            parts.prerelease.isEmpty ? "" : "-" + parts.prerelease.map(\.text).joined(separator: ".")
        return "\(parts.line)|\(number)\(prerelease)"
    }

    /// The label without a build in brackets: `4.2.0` of `4.2.0 (370)`. Only what begins with a digit is one: `4.2.0 (beta)`
    /// is another version.
    package var labelWithoutBuild: String {
        let (name, build) = withoutBrackets(label[...])
        return build.first.map(isDigit) == true ? String(name) : label
    }

    /// Whether it is a build of another one that has none: `4.2.0 (370)` of `v4.2`.
    package func isBuild(of version: Version) -> Bool {
        anyBuild.first.map(isDigit) == true && version.anyBuild.isEmpty
            && withoutBuild == version.withoutBuild
    }

    /// The build, also one in brackets behind the label; empty when there is none.
    package var anyBuild: String { VersionParts(self).build.map(\.text).joined(separator: ".") }

    /// Whether it is one before a release, by a word behind its number, as `beta` in `4.2.0-beta.1`: dates and revisions of
    /// packages have a hyphen, too.
    package var isPrerelease: Bool {
        VersionParts(self).prerelease.contains { $0.text.contains(where: \.isLetter) }
    }

    /// Whether the label is a number, with or without `v`.
    package var isNumber: Bool {
        let parts = VersionParts(self)
        return parts.line.isEmpty && !parts.release.isEmpty
    }
}

/// A version taken apart.
private struct VersionParts {
    /// What is before the number: nothing in `4.2` and `v4.2`, `ios-` in `ios-4.2`; of a label without a number all of it.
    let line: Substring
    let release: [VersionField]
    let prerelease: [VersionField]
    let build: [VersionField]

    /// The build of a label without a number, as far as it is one itself; nil of others.
    var code: Int? {
        guard !line.isEmpty, release.isEmpty, build.count == 1, case .number(let code) = build[0] else {
            return nil
        }
        return code
    }

    init(_ version: Version) {
        let (label, own) = withoutBrackets(version.label.prefix { $0 != "+" })
        build = fields(version.build.isEmpty ? own : version.build[...])
        guard let start = startOfNumber(label) else {
            (line, release, prerelease) = (label, [], [])
            return
        }
        let prefix = label[..<start]
        let isMarked = prefix.last.map { $0 == "v" || $0 == "V" } == true
        line = isMarked ? prefix.dropLast() : prefix
        let number = label[start...]
        let begin = startOfPrerelease(number) ?? number.endIndex
        release = fields(number[..<begin])
        prerelease = fieldsOfPrerelease(number[begin...])
    }
}

/// One field of a version: a number or a word; numbers come before words.
private enum VersionField: Equatable {
    case number(Int)
    case word(Substring)

    var text: String {
        switch self {
        case .number(let number): String(number)
        case .word(let word): String(word)
        }
    }
}

/// `4.2.1` and `370` of `4.2.1 (370)`.
private func withoutBrackets(_ label: Substring) -> (label: Substring, build: Substring) {
    guard label.last == ")", let open = label.lastIndex(of: "("), open > label.startIndex else {
        return (label, "")
    }
    let before = label[..<open]
    let plain = before.lastIndex { $0 != " " }.map { before[...$0] } ?? ""
    return plain.isEmpty ? (label, "") : (plain, label[label.index(after: open)...].dropLast())
}

/// Where the number of a label begins: at its start, behind a `v`, or behind words and a sign that separates; nil where
/// there is none. A commit may begin with digits, so that these must be all of the first field.
private func startOfNumber(_ label: Substring) -> Substring.Index? {
    guard let first = label.first else { return label.startIndex }
    if isDigit(first) { return isNumberField(label) ? label.startIndex : nil }
    guard let digit = label.firstIndex(where: isDigit) else { return nil }
    var before = label[..<digit]
    if let last = before.last, last == "v" || last == "V" { before.removeLast() }
    let separates = before.last.map { "-/_ @".contains($0) } ?? true
    return separates && before.contains(where: isLetterOrDigit) != before.isEmpty
        && isNumberField(label[digit...]) ? digit : nil
}

private func isNumberField(_ text: Substring) -> Bool {
    let field = text.prefix { !".-_~ ".contains($0) }
    return !field.isEmpty && field.allSatisfy(isDigit)
}

private func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

private func isLetterOrDigit(_ character: Character) -> Bool { character.isLetter || isDigit(character) }

/// Where the pre-release begins in a number: at the first hyphen, or at a word for one, such as `rc1` of `4.2.0rc1`.
private func startOfPrerelease(_ number: Substring) -> Substring.Index? {
    var place = number.startIndex
    while place < number.endIndex {
        let character = number[place]
        if character == "-" { return place }
        if character.isLetter {
            let word = number[place...].prefix(while: \.isLetter)
            if isPrerelease(word, before: number[word.endIndex...]) { return place }
            place = word.endIndex
        } else {
            place = number.index(after: place)
        }
    }
    return nil
}

/// Whether a word names a pre-release; a single letter does with a number behind it.
private func isPrerelease(_ word: Substring, before rest: Substring) -> Bool {
    let words = ["alpha", "beta", "rc", "pre", "preview", "dev", "snapshot", "canary", "nightly", "m"]
    let name = word.lowercased()
    let hasNumber = rest.first.map(isDigit) == true
    return name == "m" || name == "a" || name == "b" ? hasNumber : words.contains(name)
}

private func fields(_ text: Substring) -> [VersionField] {
    text.split { ".~_ ".contains($0) }.map { Int($0).map(VersionField.number) ?? .word($0) }
}

/// `rc` and `1` of `rc1`; of one behind a hyphen the fields as they are.
private func fieldsOfPrerelease(_ text: Substring) -> [VersionField] {
    guard text.first != "-" else { return fields(text.dropFirst()) }
    let word = text.prefix(while: \.isLetter)
    return word.isEmpty ? [] : [.word(word)] + fields(text[word.endIndex...])
}

/// Whether the first comes first; nil when they are equal.
private func order(_ left: VersionParts, _ right: VersionParts) -> Bool? {
    if left.line.isEmpty != right.line.isEmpty { return right.line.isEmpty }
    // Those without a code come before those with one, also where their lines are the same, so that the order is one of all.
    let (code, other) = (left.code ?? .min, right.code ?? .min)
    if code != other { return code < other }
    if left.line != right.line { return left.line < right.line }
    if let result = order(left.release, right.release, fillNumber: true) { return result }
    if left.prerelease.isEmpty != right.prerelease.isEmpty { return !left.prerelease.isEmpty }
    if let result = order(left.prerelease, right.prerelease, fillNumber: false) { return result }
    return order(left.build, right.build, fillNumber: false)
}

/// True or false when one comes first, nil when they are equal.
private func order(_ left: [VersionField], _ right: [VersionField], fillNumber: Bool) -> Bool? {
    for index in 0..<max(left.count, right.count) {
        let first = index < left.count ? left[index] : (fillNumber ? .number(0) : nil)
        let second = index < right.count ? right[index] : (fillNumber ? .number(0) : nil)
        guard let first else { return true }
        guard let second else { return false }
        if first == second { continue }
        switch (first, second) {
        case (.number(let a), .number(let b)): return a < b
        case (.word(let a), .word(let b)): return a < b
        case (.number, .word): return true
        case (.word, .number): return false
        }
    }
    return nil
}
