/// The name of who wrote a note, as pages show it. Services give an e-mail address where a person set no name: of one, the
/// part before the `@`.
package func authorName(_ text: String?) -> String {
    var name = (text ?? "").drop { "@< \t".contains($0) }.prefix { !"@<".contains($0) }
    while let last = name.last, last == " " || last == "\t" { name.removeLast() }
    return String(name)
}

/// The name of an author that an earlier version stored as the service had it: of an address the same part, and every other
/// text as it is, such as `CI @ build-7`.
package func nameOfStoredAuthor(_ text: String) -> String {
    let hasAddress = text.split(separator: " ").contains { word in
        let parts = word.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].contains(".") && parts[0].contains { $0 != "<" }
    }
    return hasAddress ? authorName(text) : text
}
