import Analysis
package import AppHealth
import Markup

/// The JSON Schema (draft 2020-12) of `plimsoll.yml`, for editors and for checks outside this program.
///
/// It admits what the reader admits. Where the reader takes a scalar as text, so that `property: 123` needs no
/// quotes, the schema admits a number too.
///
/// - Parameter sources: The keys of every provider that a source may name.
package func configurationSchema(sources: [SourceSchema]) -> String {
    let head: SchemaValue = [
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:plimsoll:configuration:1",
        "title": "plimsoll.yml", "description": "What Plimsoll reports on.",
    ]
    let definitions = SchemaValue.object(
        [
            ("targets", targets), ("alerts", alerts), ("retries", retries), ("audience", audience),
            ("clientCertificate", clientCertificate), ("app", app), ("source", source(of: sources)),
        ] + sources.map { ("source-\($0.provider)", keys(of: $0)) })
    return head.with(object(site, required: ["apps"])).with(["$defs": definitions]).json() + "\n"
}

// MARK: Values

private typealias Property = (name: String, value: SchemaValue)

/// An object that has no other keys than these.
private func object(_ properties: [Property], required: [String] = []) -> SchemaValue {
    let base: SchemaValue = [
        "type": "object", "additionalProperties": false, "properties": .object(properties),
    ]
    return required.isEmpty ? base : base.with(["required": .words(required)])
}

/// A scalar that is read as text.
private func text(_ help: String) -> SchemaValue {
    ["type": ["string", "number"], "description": .text(help)]
}

private func flag(_ help: String) -> SchemaValue { ["type": "boolean", "description": .text(help)] }

private func number(
    _ least: Int, _ most: Int, _ help: String, type: SchemaValue = "number"
) -> SchemaValue {
    [
        "type": type, "minimum": .number(least), "maximum": .number(most), "description": .text(help),
    ]
}

private func choice(_ words: [String], _ help: String) -> SchemaValue {
    ["enum": .words(words), "description": .text(help)]
}

private func secret(_ help: String) -> SchemaValue {
    ["type": "string", "pattern": #"^\$\{[A-Za-z0-9_]+\}$"#, "description": .text(help)]
}

private func reference(_ name: String, _ help: String) -> SchemaValue {
    ["$ref": .text("#/$defs/\(name)"), "description": .text(help)]
}

// MARK: The whole and its apps

private let trust: [Property] = [
    ("certificateAuthority", text("A PEM file of certificate authorities, instead of the system's")),
    ("clientCertificate", reference("clientCertificate", "The certificate that is shown to services")),
]

private let site: [Property] =
    [
        ("title", text("Name of the site")),
        (
            "url",
            ["type": "string", "pattern": "^https?://[^ ?#]+$", "description": "URL of the published site"]
        ), ("theme", text("Name of a theme: default, or a folder in Themes")),
        ("output", text("Folder of the site; every build replaces it")),
        ("archive", text("File of the archive")), ("content", text("Folder of your own pages")),
        ("indexing", flag("Whether search engines may list the pages")),
        ("audience", reference("audience", "Who reads the site")),
        ("markdown", choice(MarkdownDialect.allCases.map(\.rawValue), "Dialect of the Markdown versions")),
        ("demo", flag("Whether the data is made up")),
        ("asOf", text("Report time instead of now, such as 2026-11-20T06:00:00Z")),
        ("timeout", number(1, 3600, "Seconds that one request may take")),
        ("timeBudget", number(1, 86_400, "Seconds that all requests of a fetch may take")),
        ("retries", reference("retries", "How often and how long a request is tried")),
        ("targets", reference("targets", "Target and critical level of all apps")),
        ("alerts", reference("alerts", "What activity is reported, for all apps")),
        ("apps", ["type": "array", "items": ["$ref": "#/$defs/app"], "description": "The apps"]),
    ] + trust

private let app = object(
    [
        (
            "id",
            [
                "type": ["string", "number"], "pattern": "^[a-z0-9][a-z0-9._-]*$",
                "description": "Part of URLs: lowercase letters, digits, '.', '_' and '-'",
            ]
        ), ("name", text("Name for people")), ("platform", text("Platform, such as ios")),
        ("targets", reference("targets", "Target and critical level")),
        ("alerts", reference("alerts", "What activity is reported")),
        (
            "sources",
            [
                "type": "array", "items": ["$ref": "#/$defs/source"],
                "description": "The sources; the first that knows a metric reports it",
            ]
        ),
    ], required: ["id", "sources"])

private let targets = object([
    ("target", number(0, 100, "Crash-free rate that is aimed at, in percent")),
    ("critical", number(0, 100, "Crash-free rate below which an app is critical, in percent")),
])

private let retries = object([
    ("attempts", number(1, 20, "Most attempts for one request")),
    ("seconds", number(1, 3600, "Most seconds for one request with all its attempts")),
    ("longestWait", number(0, 3600, "Most seconds between two attempts")),
])

private let audience: SchemaValue = [
    "anyOf": [
        ["enum": .words(Audience.Reader.allCases.map(\.rawValue))],
        object([
            ("for", choice(Audience.Reader.allCases.map(\.rawValue), "Who reads the site")),
            (
                "counts",
                choice(Audience.Display.allCases.map(\.rawValue), "Numbers of users, sessions, events")
            ),
            ("titles", choice(Audience.Display.allCases.map(\.rawValue), "Titles of issues")),
        ]),
    ]
]

private let alerts = object(
    [("show", choice(AlertSettings.Show.allCases.map(\.rawValue), "What is reported by default"))]
        + EventKind.allCases.map { ($0.key, alert($0)) })

private func alert(_ kind: EventKind) -> SchemaValue {
    let all: [(measure: AlertLevel.Measure, value: Property)] = [
        (.users, ("leastUsers", number(1, 1_000_000_000, "Fewest users", type: "integer"))),
        (.share, ("leastShare", number(0, 100, "Smallest share, in percent"))),
        (.points, ("leastPoints", number(0, 100, "Smallest drop, in percentage points"))),
    ]
    let least = all.filter { kind.measures.contains($0.measure) }.map(\.value)
    let limit: Property = ("limit", number(1, 1000, "Most of a day", type: "integer"))
    return ["anyOf": [["type": "boolean"], object([limit] + least)]]
}

private let clientCertificate = object(
    [
        ("certificate", text("A PEM file")), ("key", text("A PEM file; without it, the certificate's file")),
        ("password", secret("Password of the key, in an environment variable")),
        ("passwordFile", text("A file with the password")),
    ], required: ["certificate"])

// MARK: Sources

/// A source has the keys of the provider that it names.
private func source(of schemas: [SourceSchema]) -> SchemaValue {
    let provider: SchemaValue = [
        "enum": .words(schemas.map(\.provider)), "description": "The kind of source",
    ]
    let rules = schemas.map { schema -> SchemaValue in
        [
            "if": [
                "properties": ["provider": ["const": .text(schema.provider)]], "required": ["provider"],
            ],
            "then": ["$ref": .text("#/$defs/source-\(schema.provider)")],
        ]
    }
    return [
        "type": "object", "required": ["provider"], "properties": ["provider": provider],
        "allOf": .list(rules),
    ]
}

private func keys(of schema: SourceSchema) -> SchemaValue {
    var properties: [Property] = [
        ("provider", ["const": .text(schema.provider), "description": .text(schema.summary)]),
        ("id", text("Name of the source within its app; without it, the provider's")),
    ]
    for key in schema.keys { properties += schemas(of: key) }
    if schema.usesTLS { properties += trust }
    let plain = schema.keys.filter { $0.isRequired && $0.names.count == 1 }.map(\.name)
    let either = schema.keys.filter { $0.isRequired && $0.names.count > 1 }.map { key -> SchemaValue in
        ["anyOf": .list(key.names.map { ["required": .words([$0])] })]
    }
    let whole = object(properties, required: plain)
    return either.isEmpty ? whole : whole.with(["allOf": .list(either)])
}

private func schemas(of key: SourceKey) -> [Property] {
    let help = capitalized(key.help) + (key.standard.map { " (default: \($0))" } ?? "")
    switch key.kind {
    case .text, .textOrVariable, .path, .pathOrURL: return [(key.name, text(help))]
    case .flag: return [(key.name, flag(help))]
    case .choice(let words): return [(key.name, choice(words, help))]
    case .secret:
        return [
            (key.name, secret(help + "; ${NAME} of an environment variable")),
            (key.name + "File", text(help + "; the path of a file")),
        ]
    }
}
