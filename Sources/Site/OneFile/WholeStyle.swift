import Diagnostics
import Foundation

/// Puts style sheets of a theme into one text, with what they import and, where it must need no other file, with the
/// pictures and fonts that they name.
struct WholeStyle {
    /// How many sheets may be within each other: a loop is found when the theme is read.
    static let mostDepth = 16
    /// How many sheets are imported at most: two imports of two imports, and so on, are soon too many.
    static let mostImports = 200
    /// How many bytes there are at most: a mail server takes no more either.
    static let mostBytes = 10_000_000

    private let byAddress: [String: ThemeAsset]
    private let embeds: Bool
    private var imports = 0
    private var size = 0

    /// - Parameter embeds: whether pictures and fonts are put in; otherwise their addresses stay as they are.
    init(_ assets: ThemeAssets, embeds: Bool) {
        byAddress = Dictionary(
            assets.files.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        self.embeds = embeds
    }

    /// The rules of a sheet and of those that it imports.
    ///
    /// - Parameter isFirst: whether nothing is before them.
    /// - Throws: a diagnostic that says what cannot be there.
    mutating func rules(of asset: ThemeAsset, isFirst: Bool, depth: Int = 0) throws(Diagnostic) -> [UInt8] {
        let sheet = StyleText(asset.bytes)
        if sheet.text(0..<sheet.bytes.count).lowercased().contains("</style") {
            throw fault(asset, "ends its own element", "remove '</style'")
        }
        guard let closing = sheet.closing else {
            throw fault(asset, "has a bracket or quote without its match", "add or remove one of the pair")
        }
        guard let start = StyleStart(sheet) else {
            throw fault(
                asset, "has an '@import' that cannot be read",
                "write '@import \"more.css\"', then layer, supports() and media in this order")
        }
        var out: [UInt8] = []
        for part in start.parts {
            switch part {
            case .layers(let text): out += text.utf8
            case .sheet(let rule): out += try imported(rule, by: asset, depth)
            }
        }
        let rest = StyleText(Array(sheet.bytes[start.end...]))
        if rest.has("@import") {
            throw fault(
                asset, "has an '@import' behind other rules, where browsers ignore it",
                "put it before them, or remove it")
        }
        if rest.has("@namespace"), !isFirst || !out.isEmpty {
            throw fault(
                asset, "has '@namespace', which is for itself alone",
                "link it first and without imports, or remove '@namespace'")
        }
        return out + (try embedded(rest, of: asset)) + closing
    }

    private mutating func imported(_ rule: ImportRule, by asset: ThemeAsset, _ depth: Int) throws(Diagnostic)
        -> [UInt8]
    {
        let found = self.asset(rule.address, asset)
        guard let sheet = found, sheet.name.hasSuffix(".css") else {
            throw fault(
                asset,
                "imports '\(printable(found?.name ?? rule.address))', which is no style sheet of its theme",
                "put the rules of that one into the theme, or remove '@import'")
        }
        imports += 1
        guard depth < Self.mostDepth, imports <= Self.mostImports else {
            throw fault(
                asset,
                depth < Self.mostDepth
                    ? "imports one more than \(Self.mostImports) in all"
                    : "is imported \(Self.mostDepth) sheets deep and imports one more",
                "put their rules into fewer sheets")
        }
        return rule.around(try rules(of: sheet, isFirst: false, depth: depth + 1))
    }

    /// A sheet with what it names as `data:` URLs.
    private mutating func embedded(_ sheet: StyleText, of asset: ThemeAsset) throws(Diagnostic) -> [UInt8] {
        var out: [UInt8] = []
        var copied = 0
        for token in sheet.tokens where token.kind == .address && embeds {
            let address = sheet.text(token.range)
            if address.hasPrefix("#") || address.lowercased().hasPrefix("data:") { continue }
            out += sheet.bytes[copied..<token.range.lowerBound]
            out += try data(address, in: asset).utf8
            copied = token.range.upperBound
        }
        try grow(by: sheet.bytes.count, asset)
        return out + sheet.bytes[copied...]
    }

    private mutating func data(_ address: String, in sheet: ThemeAsset) throws(Diagnostic) -> String {
        guard let asset = asset(address, sheet) else {
            throw fault(
                sheet, "loads '\(printable(address))', which is no asset of its theme",
                "include fonts and images as assets or 'data:' URLs, or remove them")
        }
        guard let type = embeddedType(of: asset.name) else {
            throw fault(
                sheet, "names '\(asset.name)', which is no picture or font of a known kind",
                "use woff2, woff, ttf, otf, svg, png, jpg, gif, webp, avif or ico")
        }
        try grow(by: asset.bytes.count / 3 * 4, sheet)
        let fragment = address.firstIndex(of: "#").map { String(address[$0...]) } ?? ""
        return "data:\(type);base64,\(Data(asset.bytes).base64EncodedString())\(fragment)"
    }

    private func asset(_ address: String, _ sheet: ThemeAsset) -> ThemeAsset? {
        assetTarget(of: address, from: sheet.name).flatMap { byAddress["assets/" + $0.name] }
    }

    private mutating func grow(by bytes: Int, _ asset: ThemeAsset) throws(Diagnostic) {
        size += bytes
        guard size > Self.mostBytes else { return }
        throw fault(
            asset, "needs more than \(Self.mostBytes / 1_000_000) MB with all that it names",
            "use smaller fonts and images, and name each once")
    }

    private func fault(_ asset: ThemeAsset, _ what: String, _ hint: String) -> Diagnostic {
        .usage(
            "theme.not-alone", "The style sheet \(what), so it cannot be in a single file",
            at: .file(path: asset.file), hints: [hint])
    }
}

extension LinkedStyles {
    /// The rules of each sheet with those that it imports, as far as they can be put into one text.
    package func rules(with assets: ThemeAssets) -> [String] {
        var style = WholeStyle(assets, embeds: false)
        return sheets.map { sheet in
            (try? style.rules(of: sheet.asset, isFirst: true)).map(sheet.forItsMedia) ?? sheet.rules
        }
    }
}
