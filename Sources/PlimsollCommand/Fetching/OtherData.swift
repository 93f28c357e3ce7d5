import Configuration
import Diagnostics
import Providers

/// A source whose settings name other data than what is stored of it, such as another project: a fetch would mix the two.
struct OtherData {
    private let source: SourceConfiguration
    private let data: NamedData
    private let stored: String

    /// Nil where the name is the stored one, where 'formerly' says that the stored one is the same, and where nothing is
    /// stored.
    init?(_ source: SourceConfiguration, _ data: NamedData?, stored: String?) {
        guard let data, let stored, data.text != stored, source.formerly != stored else { return nil }
        (self.source, self.data, self.stored) = (source, data, stored)
    }

    var diagnostic: Diagnostic {
        let keys = data.keys(differingFrom: stored)
        let (now, before) = (printable(data.text), printable(stored))
        let former = source.formerly.map { "'formerly' is '\(printable($0))', not '\(before)'" }
        return .error(
            "source.other-data",
            """
            \(source.provider): \(keys.map { "'\($0)'" }.joined(separator: " and ")) \(keys.count == 1 ? "is" : "are") \
            '\(now)' now; the stored days are of '\(before)'
            """,
            details: [former, "nothing was requested; the stored days stay"].compactMap(\.self),
            at: source.location,
            hints: [
                "if '\(before)' has the name '\(now)' now, add 'formerly: \(yamlScalar(before))' to the source",
                """
                otherwise give the source another 'id': what is stored under '\(source.id)' stays in the archive, and no \
                page shows it unless that 'id' is listed too, with 'until'
                """,
            ])
    }
}

/// A text as YAML takes it for one, in quotes where it needs them.
private func yamlScalar(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        default: false
        }
    }
    let isFirstPlain = text.utf8.first.map { !"-:".utf8.contains($0) } ?? false
    if isPlain, isFirstPlain, text.utf8.last != UInt8(ascii: ":") { return text }
    return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
}
