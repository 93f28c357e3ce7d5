package import Diagnostics
import Files
package import Site

/// Everything that is wrong with a theme: every mistake in every template and asset, overrides that no page uses, entries
/// that nothing reads, and colors that are too near to each other.
package func checkTheme(_ layers: ThemeLayers) -> [Diagnostic] {
    let (templates, problems) = ThemeTemplates.load(layers)
    return problems + (templates.map { unusedTemplates(layers, $0.usedPaths) } ?? []) + unreadEntries(layers)
        + checkContrast(layers, templates.map { $0.styles.rules(with: $0.assets) })
}

/// Templates over the last layer that no page uses: most often a name with a slip of the pen.
private func unusedTemplates(_ layers: ThemeLayers, _ used: Set<String>) -> [Diagnostic] {
    var known: Set<String> = []
    var unused: [(folder: String, path: String)] = []
    for folder in layers.folders where pathKind(folder + "/templates") == .folder {
        for path in (try? filesBelow(folder + "/templates")) ?? [] {
            if used.contains("\(folder)/templates/\(path)") {
                known.insert(path)
            } else if folder != layers.folders.last {
                unused.append((folder, path))
            }
        }
    }
    return unused.filter { !known.contains($0.path) }.map { folder, path in
        // A partial may be in the folder of pages.
        let place = known.sorted().first { $0.hasSuffix("/" + path) }
        let near = (place ?? nearestName(to: path, among: known)).map { "did you mean '\($0)'?" }
        return .warning(
            "check.unused-template", "No page uses the template '\(printable(path))'",
            at: .file(path: "\(folder)/templates/\(path)"),
            hints: [near ?? "remove it, or call it from another template"])
    }
}

/// The contrast of the pairs that the theme declares, or else the one below it, in every palette, by the style sheets as
/// pages link them.
private func checkContrast(_ layers: ThemeLayers, _ rules: [String]?) -> [Diagnostic] {
    let files = layers.folders.map { folder in
        ThemeFile.read(folder, of: folder.split(separator: "/").last.map(String.init) ?? folder)
    }
    guard let pairs = files.lazy.compactMap(\.pairs).first else { return [] }
    var sheet = TokenSheet()
    for sheetRules in rules ?? allRules(layers) { sheet.add(Array(sheetRules.utf8)) }
    let supports = sheet.hasSupports ? [true, false] : [true]
    return [false, true].flatMap { isDark in
        supports.flatMap { isSupporting in
            let circumstances = TokenSheet.Circumstances(isDark: isDark, isSupporting: isSupporting)
            let reader = ColorReader(values: sheet.values(circumstances), isDark: isDark)
            return pairs.compactMap { contrastFault($0, reader, circumstances) }
        }
    }
}

/// Those of all style sheets by name: which of them pages link is not known as long as a template is wrong.
private func allRules(_ layers: ThemeLayers) -> [String] {
    let sheets = ((try? layers.assets()) ?? []).filter { $0.path.hasSuffix(".css") }
    return sheets.compactMap { sheet in
        (try? readFile(sheet.file)).map { String(decoding: $0, as: UTF8.self) }
    }
}

private func contrastFault(
    _ pair: ThemeFile.Pair, _ reader: ColorReader, _ circumstances: TokenSheet.Circumstances
) -> Diagnostic? {
    let colors = [pair.front, pair.ground].map { (token: $0, color: reader.color(of: $0)) }
    if let unknown = colors.first(where: { $0.color == nil }) {
        let near = nearestName(to: unknown.token, among: reader.values.keys).map { "did you mean '\($0)'?" }
        let isThere = reader.values[unknown.token] != nil
        return .error(
            "check.colour", "The token --\(printable(unknown.token)) has no color that can be calculated",
            details: ["palette: \(circumstances.words)"], at: pair.location,
            hints: [
                isThere
                    ? "write it without transparency as #rrggbb, a color name, rgb(), hsl(), var() or color-mix(in srgb, …)"
                    : near ?? "set it on ':root' in a style sheet of the theme"
            ])
    }
    guard let front = colors[0].color, let ground = colors[1].color else { return nil }
    let ratio = front.contrast(to: ground)
    if ratio >= pair.least { return nil }
    return .error(
        "check.contrast",
        "Contrast of \(pair.front) on \(pair.ground) is \(hundredths(ratio)):1, minimum \(hundredths(pair.least)):1",
        details: ["palette: \(circumstances.words)"], at: pair.location,
        hints: ["make the lightness of --\(pair.front) and --\(pair.ground) more different"])
}

/// Cut, not rounded: 4.499 is not 4.5.
private func hundredths(_ number: Double) -> String {
    let count = Int(number * 100)
    let rest = count % 100
    return "\(count / 100).\(rest < 10 ? "0" : "")\(rest)"
}
