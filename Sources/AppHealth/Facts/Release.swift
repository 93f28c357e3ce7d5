/// One shipped version of an app.
package struct Release: Hashable, Codable, Sendable {
    /// Its label and build.
    package var version: Version
    /// When it was first seen in users' hands; nil when the source does not say.
    package var releasedAt: Instant?
    /// The day of that instant in the zone of its source; nil where that is not known.
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
/// Numeric parts are compared as numbers, a pre-release (`4.2.0-beta.1`) comes before its release, and the
/// build breaks a tie (Semantic Versioning 2.0.0 §11, extended by the build, which app stores count up).
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
        lhs.comes(before: rhs) || (!rhs.comes(before: lhs) && (lhs.label, lhs.build) < (rhs.label, rhs.build))
    }

    /// Whether it is an older version than the other; of two ways to write one version, such as `4.2` and
    /// `v4.2.0`, neither comes before the other.
    package func comes(before other: Version) -> Bool {
        let (left, right) = (parts(of: label), parts(of: other.label))
        if let result = order(left.release, right.release, fillNumber: true) { return result }
        if left.prerelease.isEmpty != right.prerelease.isEmpty { return !left.prerelease.isEmpty }
        if let result = order(left.prerelease, right.prerelease, fillNumber: false) { return result }
        return order(fields(build), fields(other.build), fillNumber: false) ?? false
    }
}

/// One field of a version: a number or a word; numbers come before words.
private enum VersionField: Equatable {
    case number(Int)
    case word(String)
}

private func parts(of label: String) -> (release: [VersionField], prerelease: [VersionField]) {
    let plain = label.prefix { $0 != "+" }
    let halves = plain.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    var release = fields(String(halves.first ?? ""))
    if case .word(let word)? = release.first, word.first == "v" || word.first == "V",
        let number = Int(word.dropFirst())
    {
        release[0] = .number(number)
    }
    return (release, halves.count > 1 ? fields(String(halves[1])) : [])
}

private func fields(_ text: String) -> [VersionField] {
    text.split(separator: ".").map { Int($0).map(VersionField.number) ?? .word(String($0)) }
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
