import Templates

/// The style sheets of a theme in the order in which its pages link them; those that no page links are none of them.
package struct LinkedStyles: Sendable {
    /// A style sheet and what it is for.
    package struct Sheet: Sendable {
        /// The sheet.
        package let asset: ThemeAsset
        /// The media that its link names, such as `print`; nil for all.
        let media: String?

        /// Its rules, only for its media.
        package var rules: String {
            forItsMedia(asset.bytes)
        }

        /// Rules that are there only for its media.
        func forItsMedia(_ rules: [UInt8]) -> String {
            let text = String(decoding: rules, as: UTF8.self)
            return media.map { "@media \($0) {\(text)}" } ?? text
        }
    }

    /// One that several pages link is there once, with the media of the first link.
    package let sheets: [Sheet]

    /// - Parameter pages: what the templates of each page write themselves; the sheets that only a later page links come
    ///   behind those that it links before them.
    init(pages: [String], _ assets: ThemeAssets) {
        let byAddress = Dictionary(
            assets.files.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        var sheets: [Sheet] = []
        for page in pages {
            var place = 0
            for link in styleLinks(in: page) {
                guard let asset = byAddress[link.address] else { continue }
                if let known = sheets.firstIndex(where: { $0.asset.name == asset.name }) {
                    place = max(place, known + 1)
                } else {
                    sheets.insert(Sheet(asset: asset, media: link.media), at: place)
                    place += 1
                }
            }
        }
        self.sheets = sheets
    }
}

/// The addresses of style sheets that the links of a page name, from the folder of the site, in their order.
private func styleLinks(in page: String) -> [(address: String, media: String?)] {
    page.matches(of: /<link\s([^>]*)>/.ignoresCase()).compactMap { link in
        var values: [String: String] = [:]
        for attribute in link.1.matches(of: /([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/) {
            let value = attribute.2 ?? attribute.3 ?? attribute.4 ?? ""
            values[attribute.1.lowercased()] = values[attribute.1.lowercased()] ?? String(value)
        }
        let kinds = (values["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        guard kinds.contains("stylesheet"), !kinds.contains("alternate"), let address = values["href"] else {
            return nil
        }
        let media = values["media"].map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        return (address, media.flatMap { $0.isEmpty || $0.lowercased() == "all" ? nil : $0 })
    }
}

extension ThemeTemplates {
    /// The style sheets that its pages link.
    package var styles: LinkedStyles {
        LinkedStyles(
            pages: [
                app.html.ownText, usage.html.ownText, issues.html.ownText, issue.html.ownText,
                releases.html.ownText, release.html.ownText, compare.html.ownText, activity.html.ownText,
                week.html.ownText, day.html.ownText, portfolio.html.ownText, list.html.ownText,
                content.html.ownText, methods.html.ownText, sources.html.ownText, notFound.html.ownText,
            ], assets)
    }
}
