import Diagnostics
import Foundation

/// What `publish` and `attach` print of their targets with `--format json`.
struct PlacesDocument<Part: Encodable>: Encodable {
    let format: String
    let version = 1
    let dryRun: Bool
    let targets: [PlacePart<Part>]

    /// The text, with sorted members and a line break at its end.
    func text() -> String { jsonDocument(self) }
}

/// A target in a document: what all of them say of themselves, and what one kind of command adds, as members of one
/// object.
struct PlacePart<Part: Encodable>: Encodable {
    let id: String
    let kind: String
    let place: String
    /// Why it could not be used; nil when it could.
    var failure: Problem?
    let part: Part

    private enum CodingKeys: String, CodingKey { case id, kind, place, failure }

    func encode(to encoder: any Encoder) throws {
        try part.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(kind, forKey: .kind)
        try members.encode(place, forKey: .place)
        try members.encodeIfPresent(failure, forKey: .failure)
    }
}

/// A diagnostic in a document.
struct Problem: Encodable {
    let severity: String
    let id: String
    let summary: String
    let details: [String]
    let location: String?
    let nextSteps: [String]

    init(_ diagnostic: Diagnostic) {
        severity = diagnostic.severity.rawValue
        id = diagnostic.id
        summary = diagnostic.summary
        details = diagnostic.quotes + diagnostic.details
        location = diagnostic.location?.description
        nextSteps = diagnostic.hints
    }
}

/// A document with sorted members and a line break at its end.
func jsonDocument(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self) + "\n"
}
