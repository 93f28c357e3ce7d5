/// Regular expressions of what the reader takes, for the schema.
enum SchemaPattern {
    /// A `Slug` of any length.
    static let slug =
        #"^(?!(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$))[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$"#

    /// A path in the site folder, without empty parts and those that lead out of it.
    static let keptPath = #"^(?:(?!\.{1,2}/)[^/]+/)*(?!\.{1,2}/?$)[^/]+/?$"#

    /// A number in quotes that is no fraction from 0.5 to 1: as a percentage, an app cannot fall below it.
    static let level = #"^(?!\+?(?:0*\.[5-9]|0*1(?:\.0*)?$))\#(SchemaNumber.any.pattern.dropFirst())"#

    /// A day that some year has, without ends.
    static let date =
        "(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
        + "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"

    /// An `Instant`.
    static let instant =
        "^\(date)[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)"
        + #"(?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])$"#
}

/// What kind of number a key has.
enum SchemaNumber: String {
    case any = "number"
    case whole = "integer"

    /// That of a number in quotes.
    var pattern: String {
        switch self {
        case .any: #"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"#
        case .whole: "^[+-]?[0-9]+$"
        }
    }
}
