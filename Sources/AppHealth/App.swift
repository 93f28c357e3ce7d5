import Cryptography

/// An app whose stability and usage is reported.
package struct App: Hashable, Codable, Sendable {
    /// Its name in addresses; unique in a site.
    package var id: Slug
    /// Its name for people.
    package var name: String
    /// `ios`, `android`, `macos` or another word; empty when unknown.
    package var platform: String
    /// The owner's name for the apps that it belongs to; nil when it is in no group.
    package var group: String?

    /// Makes an app.
    package init(id: Slug, name: String, platform: String = "", group: String? = nil) {
        self.id = id
        self.name = name
        self.platform = platform
        self.group = group
    }

    /// The name of a group in addresses. One of digits alone is that of a part of a list.
    package static func slug(ofGroup name: String) -> Slug {
        Slug(anyText: name, taken: name.allSatisfy(\.isNumber) ? [name] : [])
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

    /// A slug for any text: the text itself when it is one, is not taken and does not end like a name that is made
    /// here; otherwise its safe characters and a digest of the whole text.
    ///
    /// Two texts never share a slug unless someone finds two with the same 144 bits of SHA-256, and none depends on
    /// which other texts there are: whoever names a release after the address of another gets an address of his own.
    package init(anyText text: String, taken: Set<String> = []) {
        if Self.isSlug(text), !taken.contains(text), !Self.endsInDigest(text) {
            self.text = text
            return
        }
        let name = Self.safeCharacters(of: text)
        self.text = (Self.isDevice(name) ? "x-" : "") + name + "-" + Self.digestText(text)
    }

    /// At most 40 safe characters of a text, at least one, so that people recognize it.
    package static func safeCharacters(of text: String) -> String {
        var safe = ""
        for scalar in text.lowercased().unicodeScalars where safe.utf8.count < 40 {
            if isSafe(scalar) {
                safe.unicodeScalars.append(scalar)
            } else if safe.last != "-", !safe.isEmpty {
                safe += "-"
            }
        }
        while let last = safe.last, !last.isLetter, !last.isNumber { safe.removeLast() }
        while let first = safe.first, !first.isLetter, !first.isNumber { safe.removeFirst() }
        return safe.isEmpty ? "x" : safe
    }

    package var description: String { text }

    package static func < (lhs: Slug, rhs: Slug) -> Bool { lhs.text < rhs.text }

    private static func isSlug(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 80, text.utf8.last != UInt8(ascii: ".") else {
            return false
        }
        return text.utf8.allSatisfy { isSafe(Unicode.Scalar($0)) } && !".-_".utf8.contains(first)
            && !isDevice(text)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }

    /// Whether Windows keeps the name for a device, with or without an ending.
    private static func isDevice(_ text: String) -> Bool {
        let stem = text.utf8.prefix { $0 != UInt8(ascii: ".") }
        return stem.count <= longestDeviceName && deviceNames.contains(String(Substring(stem)))
    }

    /// How many hexadecimal digits a digest has; no common digest has as many, so names that hold one stay.
    private static let digestLength = 36

    /// The first 144 bits of the SHA-256 of the text.
    private static func digestText(_ text: String) -> String {
        hexadecimal(digest(of: text.utf8).prefix(digestLength / 2))
    }

    private static func endsInDigest(_ text: String) -> Bool {
        let end = text.utf8.suffix(digestLength + 1)
        return end.count == digestLength + 1 && end.first == UInt8(ascii: "-")
            && end.dropFirst().allSatisfy(isLowerHexadecimal)
    }
}

private let deviceNames: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
private let longestDeviceName = deviceNames.map(\.utf8.count).max() ?? 0
