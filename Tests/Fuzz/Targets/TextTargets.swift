import AppHealth
import Diagnostics
import Markup
import Templates

@testable import Charts
@testable import Transport

/// The page and a partial, which zero bytes part.
let templateTarget = FuzzTarget("template") { bytes in
    let (page, partial) = halves(bytes)
    for language in [OutputLanguage.html, .markdown] {
        var library = TemplateLibrary { role, name, wanted in
            let source = role == .page ? page : partial
            return wanted == language
                ? .found(TemplateSource(path: name, name: name, language: language, text: text(source)))
                : .missing(lookedIn: [])
        }
        do throws(TemplateErrors) {
            let template = try library.template("page", for: FuzzPage.self, in: language)
            var writer = ByteWriter()
            if let error = template.render(FuzzPage(), into: &writer) {
                require(!error.diagnostic.hints.isEmpty, "a failure has a hint")
            }
        } catch {
            require(error.diagnostics.allSatisfy { !$0.hints.isEmpty }, "a failure has a hint")
        }
    }
}

private struct FuzzPage: TemplateModel {
    var title = "<&>"
    var note: String?
    var count = 12
    var isNew = true
    var rows = (0..<40).map { FuzzRow(name: "row \($0)") }
    static let modelName = "page"
    static let fields: [Field<FuzzPage>] = [
        .text("title", "The title, such as `A`.", \.title), .optionalText("note", "A note.", \.note),
        .number("count", "How many, such as `12`.", \.count), .flag("new", "Whether it is new.", \.isNew),
        .list("rows", "The rows.", \.rows),
    ]
}

private struct FuzzRow: TemplateModel {
    var name: String
    static let modelName = "row"
    static let fields: [Field<FuzzRow>] = [.text("name", "The name, such as `A`.", \.name)]
}

let markdownTarget = FuzzTarget("markdown") { bytes in
    let words = text(bytes)
    let page = html(fromCommonMark: words).text
    require(!page.contains("<script"), "no script gets through")
    _ = plainText(fromCommonMark: words, limit: 200)
    _ = commonMarkPage(words)
    _ = fences(inCommonMark: words, named: ["plimsoll"])
    _ = rewritingLinks(inCommonMark: words) { $0 + "x" }
}

/// Pages in each dialect, cut to a length that the first two bytes give.
let cutTarget = FuzzTarget("cut") { bytes in
    guard bytes.count > 2 else { return }
    let limit = Int(bytes[0]) * 256 + Int(bytes[1])
    let words = text(Array(bytes[2...]))
    for dialect in MarkdownDialect.allCases {
        let whole = pageText(words, in: dialect)
        let cut = pageText(words, in: dialect, limit: limit, because: "of a limit")
        let isWithin = cut.text.utf16.count <= limit || cut.text == whole.text
        require(cut.isCut || isWithin, "what is not cut is within the limit")
    }
}

let slugTarget = FuzzTarget("slug") { bytes in
    let words = text(bytes)
    let slug = Slug(anyText: words)
    require(Slug(slug.text) == slug, "an address made of a text is one")
    require(slug.text.utf8.count <= 80, "an address is short")
    if let same = Slug(words) { require(same.text == words, "a slug is as it was written") }
    _ = Slug.safeCharacters(of: words)
}

/// Three versions: their order is one.
let versionTarget = FuzzTarget("version") { bytes in
    let (first, rest) = halves(bytes)
    let (second, third) = halves(rest)
    let versions = [first, second, third].map { Version(text($0)) }
    for one in versions {
        require(!(one < one), "nothing comes before itself")
        for two in versions {
            require(!(one < two && two < one), "of two one comes first")
            for three in versions where one < two && two < three { require(one < three, "the order holds") }
        }
    }
}

let dateTarget = FuzzTarget("http-date") { bytes in
    let words = text(bytes)
    guard let address = try? Address("https://host/") else { return }
    let response = Response(
        status: 503, headers: Headers(received: ["Date: \(words)", "Retry-After: \(words)"]), address: address
    )
    require(response.serverSeconds ?? 0 >= 0, "no date is before 1970")
    require(response.retryAfterSeconds(now: 1_763_532_000) ?? 0 >= 0, "no wait is negative")
    _ = try? Address(words)
}

/// The text of drawings: escaped, and cut to a width.
let drawingTarget = FuzzTarget("drawing") { bytes in
    let words = text(bytes)
    let shown = displayText(words, limit: 60)
    var writer = SVGWriter(capacity: 64)
    writer.escaped(shown)
    writer.label(fitted(words, width: 120), x: 10, y: 10)
    let inner = writer.text.drop { $0 != ">" }
    require(!inner.contains("<script"), "no markup gets through")
    require(estimatedWidth(words) >= 0, "no width is negative")
    require(identifier(words).utf8.allSatisfy { $0 < 0x80 }, "an identifier is ASCII")
}
