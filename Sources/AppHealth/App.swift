/// An app whose stability and usage is reported.
package struct App: Hashable, Codable, Sendable {
    /// Its name in addresses; unique in a site.
    package var id: Slug
    /// Its name for people.
    package var name: String
    /// `ios`, `android`, `macos` or another word; empty when unknown.
    package var platform: String

    /// Makes an app.
    package init(id: Slug, name: String, platform: String = "") {
        self.id = id
        self.name = name
        self.platform = platform
    }
}

/// The two levels of stability that a team sets for an app; rates in 0…1, critical ≤ target.
package struct Targets: Hashable, Codable, Sendable {
    /// What the app should keep.
    package var target: Double
    /// Below this it is an emergency.
    package var critical: Double

    /// Makes the levels; nil unless 0 < critical ≤ target ≤ 1.
    package init?(target: Double, critical: Double) {
        guard critical > 0, critical <= target, target <= 1 else { return nil }
        self.target = target
        self.critical = critical
    }

    /// 99.5% and 98%: the levels that Luciq documents for green and red crash-free sessions.
    package static let standard = Targets(trustedTarget: 0.995, critical: 0.98)

    private init(trustedTarget target: Double, critical: Double) {
        self.target = target
        self.critical = critical
    }
}

/// A name that is safe as one part of a path and of a URL, on every file system.
///
/// Lowercase ASCII letters, digits, `.`, `_` and `-`; starts with a letter or a digit and ends with no `.`;
/// 1…80 characters; no device name of Windows.
package struct Slug: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// The name itself.
    package let text: String

    /// The text as a slug, or nil when it is none.
    package init?(_ text: String) {
        guard Self.isSlug(text) else { return nil }
        self.text = text
    }

    /// A slug for any text: the text itself when it is one and not taken, otherwise its safe characters and a
    /// digest of the whole text, so that two texts that differ only in case or in signs never share a slug.
    package init(anyText text: String, taken: Set<String> = []) {
        if Self.isSlug(text), !taken.contains(text) {
            self.text = text
            return
        }
        var safe = ""
        for scalar in text.lowercased().unicodeScalars where safe.utf8.count < 40 {
            if Self.isSafe(scalar) {
                safe.unicodeScalars.append(scalar)
            } else if safe.last != "-", !safe.isEmpty {
                safe += "-"
            }
        }
        while let last = safe.last, !last.isLetter, !last.isNumber { safe.removeLast() }
        while let first = safe.first, !first.isLetter, !first.isNumber { safe.removeFirst() }
        self.text = (safe.isEmpty ? "x" : safe) + "-" + digestText(text)
    }

    package var description: String { text }

    package static func < (lhs: Slug, rhs: Slug) -> Bool { lhs.text < rhs.text }

    private static func isSlug(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count <= 80, text.last != "." else {
            return false
        }
        let stem = text.prefix { $0 != "." }
        return !deviceNames.contains(String(stem)) && first != "." && first != "_" && first != "-"
            && text.unicodeScalars.allSatisfy(isSafe)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}

/// Names that Windows keeps for devices, with or without an ending.
private let deviceNames: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

/// Twelve hex digits of the FNV-1a hash (64 bits) of the text: stable over machines and versions.
private func digestText(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(12))
}
