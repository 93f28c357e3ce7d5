import Diagnostics

/// What `publish` and `attach` print of their targets with `--format json`.
struct PlacesDocument<Part: Encodable>: Encodable {
    let format: String
    let version = 1
    let dryRun: Bool
    let targets: [PlacePart<Part>]
}

/// A target in a document: what all of them say of themselves, and what one kind of command adds.
typealias PlacePart<Part: Encodable> = JoinedMembers<PlaceMembers, Part>

/// What all targets say of themselves.
struct PlaceMembers: Encodable {
    let id: String
    let kind: String
    let place: String
    /// Why it could not be used; nil when it could.
    var failure: Problem?
}

/// The members of two values as those of one object.
struct JoinedMembers<First: Encodable, Second: Encodable>: Encodable {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
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
