import Diagnostics
import Markup

/// What screen readers go by, in each page: one heading of the first level, no level of headings skipped, a title, a
/// language, the scope of the headings of tables, and texts for pictures.
struct AccessibilityCheck: SiteCheck {
    private var faults: [Finding] = []

    mutating func look(at file: BuiltFile) {
        // A page that leads to another one at once has no readers.
        guard file.kind == .html, !file.tags.contains(where: { $0.refreshAddress != nil }) else { return }
        var outline = Outline()
        for tag in pageTags(file) where !tag.isEnd {
            if let level = tag.headingLevel, let fault = outline.fault(of: level) {
                add(
                    "heading", fault, file, tag.line,
                    hint: "use <h1> once, then each level below the one before")
            }
            if tag.name == "th", tag["scope"]?.isEmpty ?? true {
                add(
                    "scope", "Table heading without 'scope'", file, tag.line,
                    hint: "add scope=\"col\" or scope=\"row\"")
            }
            if tag.name == "img", tag["alt"] == nil {
                add(
                    "alt", "Picture without 'alt'", file, tag.line,
                    hint: "say what it shows, or write alt=\"\" when it says nothing")
            }
        }
        if outline.isWithoutTop {
            add("heading", "Page has no <h1>", file, nil, hint: "make the title of the page its <h1>")
        }
        if !hasTitle(file) { add("title", "Page has no title", file, nil, hint: "add <title> to the head") }
        let page = file.tags.first { $0.name == "html" }
        if page?["lang"]?.isEmpty ?? true {
            add(
                "language", "Page has no language", file, page?.line,
                hint: "add the language: <html lang=\"en\">")
        }
    }

    func findings() -> [Finding] { faults }

    private mutating func add(_ id: String, _ summary: String, _ file: BuiltFile, _ line: Int?, hint: String)
    {
        faults.append(
            Finding(id, summary, in: file.path, line: line, severity: .warning, hint: hint))
    }
}

/// The levels of the headings of a page so far.
private struct Outline {
    private var last = 0
    private var tops = 0

    /// Whether no heading is of the first level.
    var isWithoutTop: Bool { tops == 0 }

    /// What is wrong with the next heading.
    mutating func fault(of level: Int) -> String? {
        defer { last = level }
        if level == 1 {
            tops += 1
            return tops == 2 ? "Page has more than one <h1>" : nil
        }
        return last > 0 && level > last + 1 ? "Heading level skipped: <h\(level)> after <h\(last)>" : nil
    }
}

/// The tags of a page without those of drawings, which have titles and texts of their own.
private func pageTags(_ file: BuiltFile) -> [MarkupTag] {
    var depth = 0
    return file.tags.filter { tag in
        guard tag.name == "svg" else { return depth == 0 }
        let isWhole = file.bytes[tag.range].suffix(2).elementsEqual("/>".utf8)
        if !isWhole { depth = max(0, depth + (tag.isEnd ? -1 : 1)) }
        return false
    }
}

/// Whether a page has a title with something in it.
private func hasTitle(_ file: BuiltFile) -> Bool {
    let tags = pageTags(file)
    guard let title = tags.firstIndex(where: { $0.name == "title" && !$0.isEnd }) else { return false }
    let start = tags[title].range.upperBound
    let end = tags[(title + 1)...].first?.range.lowerBound ?? file.bytes.count
    return !String(decoding: file.bytes[start..<end], as: UTF8.self).allSatisfy(\.isWhitespace)
}

extension MarkupTag {
    /// The level of a heading: 1 to 6.
    fileprivate var headingLevel: Int? {
        name.count == 2 && name.hasPrefix("h")
            ? Int(name.dropFirst()).flatMap { (1...6).contains($0) ? $0 : nil } : nil
    }
}
