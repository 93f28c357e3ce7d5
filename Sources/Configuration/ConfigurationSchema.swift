import Analysis
import AppHealth
import Markup
package import Settings

/// The JSON Schema (draft 2020-12) of `plimsoll.yml`, for editors and for checks outside this program.
///
/// It admits what the reader admits. Where the reader takes a scalar as text, so that `property: 123` needs no
/// quotes, the schema admits a number too.
///
/// - Parameters:
///   - sources: The keys of every provider that a source may name.
///   - targets: The keys of every kind of place that the site may be published to.
///   - attachments: The keys of every kind of place that a summary may be attached to.
package func configurationSchema(
    sources: [BlockSchema], targets: [BlockSchema] = [], attachments: [BlockSchema] = []
) -> String {
    let head: SchemaValue = [
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:plimsoll:configuration:1",
        "title": "plimsoll.yml", "description": "Configuration of Plimsoll.",
    ]
    let definitions = SchemaValue.object(
        shared + [("app", app), ("source", block(.source, of: sources))]
            + sources.map { ("source-\($0.name)", keys(of: $0, .source, common: sourceCommon)) }
            + [("target", block(.target, of: targets))]
            + targets.map { ("target-\($0.name)", keys(of: $0, .target, common: targetCommon)) }
            + [("attachment", block(.attachment, of: attachments))]
            + attachments.map {
                ("attachment-\($0.name)", keys(of: $0, .attachment, common: attachmentCommon))
            })
    return head.with(object(site + requests, required: ["apps"])).with(["$defs": definitions]).json() + "\n"
}

// MARK: Values

typealias SchemaProperty = (name: String, value: SchemaValue)
private typealias Property = SchemaProperty

/// An object that has no other keys than these.
private func object(_ properties: [Property], required: [String] = []) -> SchemaValue {
    let base: SchemaValue = [
        "type": "object", "additionalProperties": false, "properties": .object(properties),
    ]
    return required.isEmpty ? base : base.with(["required": .words(required)])
}

/// A scalar that is read as text.
private func text(_ help: String) -> SchemaValue {
    ["type": ["string", "number"], "minLength": 1, "description": .text(help)]
}

/// The name of something in the configuration: a `Slug`.
private func id(_ help: String) -> SchemaValue {
    text(help).with(["pattern": .text(SchemaPattern.slug), "maxLength": 80, "minimum": 0])
}

private func flag(_ help: String) -> SchemaValue { truth.with(["description": .text(help)]) }

/// The reader takes words, so quotes make no difference.
private let truth: SchemaValue = ["type": ["boolean", "string"], "pattern": "^(?:true|false)$"]

private func number(
    _ least: Int, _ most: Int, _ help: String, type: SchemaNumber = .any
) -> SchemaValue {
    // Of a number in quotes a schema knows the form alone; its size is up to the reader.
    [
        "type": .words([type.rawValue, "string"]), "pattern": .text(type.pattern), "minimum": .number(least),
        "maximum": .number(most), "description": .text(help),
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

extension SchemaValue {
    /// The schema with the value that holds when the key is not given.
    fileprivate func or(_ standard: SchemaValue) -> SchemaValue { with(["default": standard]) }
}

// MARK: The whole and its apps

/// The definitions that several mappings share, by name.
let shared: [SchemaProperty] = [
    ("targets", targets), ("alerts", alerts), ("retries", retries), ("audience", audience),
    ("outputs", outputs),
    ("clientCertificate", clientCertificate),
]

private let trust: [Property] = [
    ("certificateAuthority", text("PEM file of certificate authorities, instead of the system's")),
    ("clientCertificate", reference("clientCertificate", "Certificate shown to services that request one")),
]

/// What is sent to services, and for how long.
let requests: [SchemaProperty] =
    [
        ("timeout", number(1, 3600, "Seconds for one request", type: .whole).or(60)),
        (
            "timeBudget",
            number(1, 86_400, "Seconds for all requests of a fetch, waits included", type: .whole).or(900)
        ),
        ("retries", reference("retries", "How often and how long a request is tried")),
    ] + trust

/// The keys of the whole file without those of requests.
let site: [SchemaProperty] =
    [
        ("version", number(1, configurationVersion, "Version of the file's format", type: .whole).or(1)),
        ("title", text("Name of the site").or("App stability")),
        ("id", id("Tells the project from others that publish to the same place")),
        (
            "url",
            [
                "type": "string",
                "pattern": "^https?://(\\[[^ @/?#]+\\]|[^ @/?#:]+)(:[0-9]*)?(/[^ ?#]*)?$",
                "description": "URL of the site",
            ]
        ), ("theme", text("Theme: default, plain, or a folder in Themes").or("default")),
        ("output", text("Site folder; every build replaces it").or("site")),
        (
            "swap",
            choice(SiteSwap.allCases.map(\.rawValue), "How a new site takes the place of the old one").or(
                "folder")
        ),
        (
            "keep",
            [
                "type": "array",
                "items": [
                    "type": ["string", "number"], "minLength": 1, "pattern": .text(SchemaPattern.keptPath),
                ],
                "description": "Paths in the site folder that no build touches",
            ]
        ),
        ("archive", text("Archive file").or("archive.sqlite")),
        ("keepBackups", number(0, 1000, "Backups of the archive that fetches keep", type: .whole).or(0)),
        ("content", text("Folder of your pages, notes and mutes").or("Content")),
        ("indexing", flag("Whether search engines may list the pages").or(false)),
        ("audience", reference("audience", "Who reads the site")),
        (
            "markdown",
            choice(MarkdownDialect.allCases.map(\.rawValue), "Dialect of the Markdown versions").or("github")
        ),
        (
            "outputs",
            reference("outputs", "What is written of the pages of each kind")
        ),
        ("demo", flag("Whether the data is made up; every page says so").or(false)),
        (
            "asOf",
            [
                "type": "string", "pattern": .text(SchemaPattern.instant), "maxLength": 40,
                "description": "Report time, such as 2026-11-20T06:00:00Z, instead of now",
            ]
        ),
        ("targets", reference("targets", "Target and critical level of all apps")),
        ("alerts", reference("alerts", "Which activity to show, for all apps")),
        ("apps", ["type": "array", "items": ["$ref": "#/$defs/app"], "description": "List of apps"]),
        (
            "publish",
            [
                "type": "array", "items": ["$ref": "#/$defs/target"],
                "description": "List of places that the site is published to",
            ]
        ),
        (
            "attach",
            [
                "type": "array", "items": ["$ref": "#/$defs/attachment"],
                "description": "List of places that summaries are attached to",
            ]
        ),
    ]

/// The keys of an app.
let appProperties: [SchemaProperty] =
    [
        ("id", id("Part of URLs: lowercase letters, digits, '.', '_' and '-'")),
        ("name", text("Name on the pages (default: the id)")),
        (
            "group",
            text("Group of apps with a page of its own, up to \(longestGroupName) characters").with([
                "maxLength": .number(longestGroupName)
            ])
        ),
        ("platform", text("Platform, such as ios")),
        ("targets", reference("targets", "Target and critical level of this app")),
        ("alerts", reference("alerts", "Which activity to show, for this app")),
        (
            "sources",
            [
                "type": "array", "minItems": 1, "items": ["$ref": "#/$defs/source"],
                "description": "List of sources; for each kind of data, the first that provides it is used",
            ]
        ),
    ]

private let app = object(appProperties, required: ["id", "sources"])

private let targets = object([
    ("target", level("Crash-free rate to reach, in percent").or(99.5)),
    (
        "critical",
        level("Crash-free rate below which an app is critical, in percent; above 0, at most the target")
            .or(98)
    ),
])

/// A level in percent: what would be the same level as a fraction is none.
private func level(_ help: String) -> SchemaValue {
    [
        "type": ["number", "string"], "pattern": .text(SchemaPattern.level), "minimum": 0, "maximum": 100,
        "exclusiveMinimum": 0, "anyOf": [["exclusiveMaximum": 0.5], ["exclusiveMinimum": 1]],
        "description": .text(help),
    ]
}

private let retries = object([
    ("attempts", number(1, 20, "Attempts for one request", type: .whole).or(10)),
    (
        "seconds",
        number(1, 3600, "Seconds for one request, with all attempts and waits", type: .whole).or(300)
    ),
    (
        "longestWait",
        number(0, 3600, "Seconds between two attempts, unless the service requests more", type: .whole)
            .or(30)
    ),
])

private let outputs = object(
    PageKind.allCases.map { kind in
        (
            kind.rawValue,
            [
                "type": "array", "items": ["enum": .words(PageOutput.allCases.map(\.rawValue))],
                "description": .text(text(of: kind)),
            ]
        )
    })

private func text(of kind: PageKind) -> String {
    switch kind {
    case .apps: "The pages of all apps and of groups (where nothing else is said, the default is everything)"
    case .week: "Pages of weeks"
    case .overview: "Overviews of apps"
    case .issues: "Lists of issues"
    case .issue: "Pages of single issues (default: HTML and Markdown)"
    case .releases: "Lists of releases"
    case .release: "Pages of single releases"
    case .comparison: "Pages of two releases (default: HTML, Markdown and CSV)"
    case .usage: "Pages of usage"
    case .activity: "Lists of activity, of all and of weeks"
    case .day: "Pages of days (default: HTML, Markdown and JSON)"
    }
}

private let audience: SchemaValue = [
    "anyOf": [
        ["enum": .words(Audience.Reader.allCases.map(\.rawValue))],
        object([
            ("for", choice(Audience.Reader.allCases.map(\.rawValue), "Who reads the site").or("team")),
            (
                "counts",
                choice(Audience.Display.allCases.map(\.rawValue), "Counts of users, sessions and events")
            ),
            ("titles", choice(Audience.Display.allCases.map(\.rawValue), "Issue titles")),
        ]),
    ]
]

private let alerts = object(
    [("show", choice(AlertSettings.Show.allCases.map(\.rawValue), "Which kinds to show"))]
        + EventKind.allCases.map { ($0.key, alert($0)) })

private func alert(_ kind: EventKind) -> SchemaValue {
    let all: [(measure: AlertLevel.Measure, value: Property)] = [
        (.users, ("leastUsers", number(1, 1_000_000_000, "Fewest users", type: .whole))),
        (.share, ("leastShare", number(0, Int(kind.largestShare), "Smallest share, in percent"))),
        (.points, ("leastPoints", number(0, 100, "Smallest drop, in pp"))),
    ]
    let least = all.filter { kind.measures.contains($0.measure) }.map(\.value)
    let most = kind.isAlert ? "Most a day" : "Most a day (default: \(AlertSettings.usualLimit))"
    let limit: Property = ("limit", number(1, 1000, most, type: .whole))
    return ["anyOf": [truth, object([limit] + least)]]
}

private let clientCertificate = object(
    [
        ("certificate", text("PEM file")), ("key", text("PEM file (default: the certificate's)")),
        ("password", secret("Password of the key, in an environment variable")),
        ("passwordFile", text("File with the password")),
    ], required: ["certificate"])

// MARK: Sources and places to publish to

private let sourceID: Property = ("id", id("Name of the source within its app (default: the provider)"))

private let sourceEnd: Property = (
    "until",
    [
        "type": "string", "pattern": .text("^\(SchemaPattern.date)$"),
        "description": .text(
            "Last day of a source that ended, such as 2026-03-31: it is no longer requested, and its stored days stay"
        ),
    ]
)

private let formerName: Property = (
    "formerly",
    text(
        """
        Former name of the project, app or product that it reads, such as acme/old-shop, once that has another one: the \
        stored days go on. Not of a provider that reads paths or tables
        """)
)

private let sourceCommon = [sourceID, sourceEnd]

/// The keys that a source of any provider has.
let anySource: [SchemaProperty] =
    [
        ("provider", ["type": "string", "description": "Name of a provider"]), sourceID, sourceEnd,
        formerName,
    ] + trust

private let targetCommon: [Property] = [
    ("id", id("Name of the publish target (default: its kind)")),
    (
        "mostRemoved",
        number(0, 100, "Most files that one publication removes, in percent of those there", type: .whole)
            .or(30)
    ),
    (
        "audience",
        choice(
            Audience.Reader.allCases.map(\.rawValue),
            "Who reads what is there; a site for the team is not published to a public place"
        ).or("team")
    ),
]

/// The keys that a publish target of any kind has.
let anyTarget: [SchemaProperty] =
    [("to", ["type": "string", "description": "Kind of the publish target"])] + targetCommon + trust

private let attachmentCommon: [Property] = [
    ("id", id("Name of the attach target (default: its kind)")),
    ("app", id("App whose summaries are attached (default: every app)")),
    (
        "audience",
        choice(
            Audience.Reader.allCases.map(\.rawValue),
            "Who reads what is there, and so what the summary shows (default: as the site)")
    ),
]

/// The keys that an attach target of any kind has.
let anyAttachment: [SchemaProperty] =
    [("to", ["type": "string", "description": "Kind of the attach target"])] + attachmentCommon + trust

private func constant(_ word: String) -> SchemaValue { ["const": .text(word)] }

/// A block has the keys of the schema that it names.
private func block(_ kind: ConfiguredKind, of schemas: [BlockSchema]) -> SchemaValue {
    let names: SchemaValue = [
        "enum": .words(schemas.map(\.name)),
        "description": .text(
            kind.key == "to" ? "Kind of the \(kind.noun.lowercased())" : "Name of a provider"),
    ]
    let rules = schemas.map { schema -> SchemaValue in
        [
            "if": [
                "properties": .object([(kind.key, constant(schema.name))]),
                "required": .words([kind.key]),
            ],
            "then": ["$ref": .text("#/$defs/\(kind.definition)-\(schema.name)")],
        ]
    }
    return [
        "type": "object", "required": .words([kind.key]), "properties": .object([(kind.key, names)]),
        "allOf": .list(rules),
    ]
}

private func keys(of schema: BlockSchema, _ kind: ConfiguredKind, common: [Property]) -> SchemaValue {
    var properties: [Property] = [
        (kind.key, constant(schema.name).with(["description": .text(schema.summary)]))
    ]
    properties += common
    if schema.namesData { properties.append(formerName) }
    for key in schema.keys { properties += schemas(of: key) }
    if schema.usesTLS { properties += trust }
    let plain = schema.keys.filter { $0.isRequired && $0.names.count == 1 }.map(\.name)
    let either = schema.keys.filter { $0.isRequired && $0.names.count > 1 }.map { key -> SchemaValue in
        ["anyOf": .list(key.names.map { ["required": .words([$0])] })]
    }
    if kind.definition == ConfiguredKind.source.definition, !(plain.isEmpty && either.isEmpty) {
        let needed: SchemaValue = ["allOf": .list([["required": .words(plain)]] + either)]
        return object(properties).with(["anyOf": .list([needed, ["required": .words(["until"])]])])
    }
    let whole = object(properties, required: plain)
    return either.isEmpty ? whole : whole.with(["allOf": .list(either)])
}

private func schemas(of key: SettingKey) -> [Property] {
    let help = capitalized(key.help) + (key.standard.map { " (default: \($0))" } ?? "")
    switch key.kind {
    case .text, .textOrVariable, .path, .pathOrURL: return [(key.name, text(help))]
    case .flag: return [(key.name, flag(help))]
    case .number(let range):
        return [(key.name, number(range.lowerBound, range.upperBound, help, type: .whole))]
    case .hours:
        return [
            (key.name, ["type": "string", "pattern": "^[1-9][0-9]* *[hd]$", "description": .text(help)])
        ]
    case .choice(let words): return [(key.name, choice(words, help))]
    case .names(let words):
        return [
            (
                key.name,
                object(words.map { ($0, text("Header of \($0)")) }, required: []).with([
                    "description": .text(help)
                ])
            )
        ]
    case .secret:
        return [
            (key.name, secret(help + "; ${NAME} of an environment variable")),
            (key.name + "File", text(help + "; the path of a file")),
        ]
    }
}
