/// The name of who wrote a note, as pages show it. Services give an e-mail address where a person set no name: of one, the
/// part before the `@`.
func authorName(_ text: String?) -> String {
    let name = (text ?? "").drop { "@< ".contains($0) }.prefix { !"@<".contains($0) }
    return trimmed(String(name))
}
