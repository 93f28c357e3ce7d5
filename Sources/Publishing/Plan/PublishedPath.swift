import Files

/// The path of a file from the top of a site, which is its bytes.
///
/// Folders, servers, buckets and repositories have two files where two names look alike and differ in their bytes, as
/// `ü` of one code point and of two. For `String` the two are equal, so a path is never a key as a `String`.
package struct PublishedPath: Hashable, Comparable, Sendable {
    /// The path as it is written.
    package let text: String

    /// Names a file.
    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The order of the bytes.
    package static func < (one: Self, other: Self) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// The folders above, from the innermost on.
    var folders: [PublishedPath] {
        var rest = text[...]
        var folders: [PublishedPath] = []
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")), slash > rest.startIndex {
            rest = rest[..<slash]
            folders.append(PublishedPath(String(rest)))
        }
        return folders
    }

    /// The folder that it is in; nil at the top of the site.
    var folder: PublishedPath? {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return PublishedPath(String(text[..<slash]))
    }

    /// Its last part.
    var name: PublishedPath { PublishedPath(splitPath(text).name) }
}

extension PublishedPath: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }
    package var description: String { text }
}
