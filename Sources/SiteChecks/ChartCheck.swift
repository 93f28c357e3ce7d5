import Diagnostics
import Markup

/// Charts that lack what every chart has: a title and a sentence for those who cannot see it, its drawing and its
/// numbers as files, and without such files a table that opens without a script.
///
/// A chart is an SVG of the class `chart`; it is in an element `figure`. A page has no files next to it when it is a file
/// of its own, as its links to files say, or when none of a chart is in its folder: a site chooses which pages have them.
struct ChartCheck: SiteCheck {
    private let paths: Set<String>
    /// The folders with a file of a chart.
    private let folders: Set<Substring>
    private var faults: [Finding] = []

    init(paths: [String]) {
        self.paths = Set(paths)
        folders = Set(
            paths.filter { $0.dropFirst(folder(of: $0).count).hasPrefix("chart-") }.map(folder))
    }

    mutating func look(at file: BuiltFile) {
        guard file.kind == .html else { return }
        var figure: ChartFigure?
        for tag in file.tags {
            switch (tag.name, tag.isEnd) {
            case ("figure", false): figure = ChartFigure(line: tag.line)
            case ("figure", true):
                if let figure { report(figure, file) }
                figure = nil
            case ("svg", false) where tag.classes.contains("chart") && figure == nil:
                fault("a <figure> around it", file, tag.line)
            default: figure?.read(tag)
            }
        }
    }

    func findings() -> [Finding] { faults }

    private mutating func report(_ figure: ChartFigure, _ file: BuiltFile) {
        guard figure.isChart else { return }
        for part in figure.missing { fault(part, file, figure.line) }
        guard file.hasFiles, folders.contains(folder(of: file.path)) else {
            if !figure.hasTable { fault("a data table in <details>", file, figure.line) }
            return
        }
        for (ending, name) in [(".svg", "its SVG file"), (".csv", "its CSV file")] {
            let isThere = figure.links.contains { link in
                guard link.hasSuffix(ending) else { return false }
                return LinkedFile(link, from: file.path, baseURL: nil, isFile: paths.contains)?.path.map(
                    paths.contains) == true
            }
            if !isThere { fault(name, file, figure.line) }
        }
    }

    private mutating func fault(_ part: String, _ file: BuiltFile, _ line: Int) {
        faults.append(
            Finding(
                "chart", "Chart lacks \(part)", in: file.path, line: line,
                hint: "use the partial 'chart', or add what is missing"))
    }
}

/// The path of a file up to and with its last slash.
private func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? ""
}

/// What is in one figure.
private struct ChartFigure {
    let line: Int
    private(set) var isChart = false
    private(set) var links: [String] = []
    private var parts: Set<String> = []
    private var details = 0

    init(line: Int) { self.line = line }

    mutating func read(_ tag: MarkupTag) {
        switch (tag.name, tag.isEnd) {
        case ("svg", false): isChart = isChart || tag.classes.contains("chart")
        case ("title", false), ("desc", false): parts.insert(tag.name)
        case ("details", _): details += tag.isEnd ? -1 : 1
        case ("table", false) where details > 0: parts.insert("table")
        case ("a", false): links += [tag["href"]].compactMap(\.self)
        default: break
        }
    }

    /// Whether it has its numbers as a table that opens.
    var hasTable: Bool { parts.contains("table") }

    /// What is not there, in words.
    var missing: [String] {
        [("title", "a title"), ("desc", "a description")].filter { !parts.contains($0.0) }.map(\.1)
    }
}

extension MarkupTag {
    /// The classes of the element.
    fileprivate var classes: [Substring] { self["class"]?.split(separator: " ") ?? [] }
}

extension BuiltFile {
    /// Whether the page is one of a site: one that is a file of its own brings its style sheet with it.
    fileprivate var hasFiles: Bool {
        tags.contains { $0.name == "link" && $0["rel"] == "stylesheet" }
    }
}
