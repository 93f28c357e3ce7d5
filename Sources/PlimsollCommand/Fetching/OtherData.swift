import Configuration
import Diagnostics
import Providers

/// What is stored of a source.
struct StoredData {
    /// The provider of it; nil where nothing is stored.
    var provider: String?
    /// Which data of the service it is; nil where that is not known.
    var name: String?
}

/// A source that names other data than what is stored of it, such as another project: a fetch would mix the two.
struct OtherData {
    private enum Difference {
        case provider(stored: String)
        case name(NamedData, stored: String)
    }

    private let source: SourceConfiguration
    private let difference: Difference

    /// Nil where provider and name are the stored ones, where 'formerly' says that the stored name is the same, and where
    /// nothing is stored.
    init?(_ source: SourceConfiguration, _ data: NamedData?, stored: StoredData) {
        self.source = source
        if let provider = stored.provider, provider != source.provider {
            difference = .provider(stored: provider)
        } else if let data, let name = stored.name, data.text != name, source.formerly != name {
            difference = .name(data, stored: name)
        } else {
            return nil
        }
    }

    var diagnostic: Diagnostic {
        switch difference {
        case .provider(let stored): ofProvider(stored)
        case .name(let data, let stored): ofName(data, stored)
        }
    }

    private func ofProvider(_ stored: String) -> Diagnostic {
        let before = printable(stored)
        return .error(
            "source.other-data",
            "\(source.provider): 'provider' is '\(source.provider)' now; the stored days are of '\(before)'",
            details: [stays], at: source.location,
            hints: [
                "give the source another 'id': each provider counts in its own way; \(whatStays)",
                "or set 'provider' to '\(before)' again",
            ])
    }

    private func ofName(_ data: NamedData, _ stored: String) -> Diagnostic {
        let keys = data.keys(differingFrom: stored)
        let (now, before) = (printable(data.text), printable(stored))
        let former = source.formerly.map { "'formerly' is '\(printable($0))', not '\(before)'" }
        return .error(
            "source.other-data",
            """
            \(source.provider): \(keys.map { "'\($0)'" }.joined(separator: " and ")) \(keys.count == 1 ? "is" : "are") \
            '\(now)' now; the stored days are of '\(before)'
            """,
            details: [former, stays].compactMap(\.self), at: source.location,
            hints: [
                "if '\(before)' has the name '\(now)' now, add 'formerly: \(yamlScalar(before))' to the source",
                "otherwise give the source another 'id': \(whatStays)",
            ])
    }

    private var stays: String { "nothing was requested; the stored days stay" }

    private var whatStays: String {
        """
        what is stored under '\(source.id)' stays in the archive, and no page shows it unless that 'id' is listed too, \
        with 'until'
        """
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
