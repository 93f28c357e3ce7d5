/// The name of who wrote a note, as pages show it. Services give an e-mail address where a person set no name: of one, the
/// part before the `@`.
package func authorName(_ text: String?) -> String {
    var name = (text ?? "").drop { "@< \t".contains($0) }.prefix { !"@<".contains($0) }
    while let last = name.last, last == " " || last == "\t" { name.removeLast() }
    return String(name)
}
