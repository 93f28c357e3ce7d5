import Pages

/// The pages at addresses that the data sources had until 0.1, in their order: each leads to where it is now, as
/// readers have kept its address and other pages link to it.
///
/// - Parameter parts: on how many pages the sources are.
func movedPages(sourceParts parts: Int) -> [(path: String, bytes: [UInt8])] {
    (1...max(1, parts)).map { part in
        let page = SitePath.sources(part: part)
        let old = SitePath.formerSources(part: part)
        return ("\(old.stem).html", movedPage("\(page.stem(from: old)).html"))
    }
}

/// A page that leads to another one, without a script and without a style sheet.
///
/// - Parameter address: the address of the other one, of the site's own parts alone.
private func movedPage(_ address: String) -> [UInt8] {
    Array(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
        <meta http-equiv="refresh" content="0; url=\(address)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>Data sources</title>
        <link rel="canonical" href="\(address)">
        </head>
        <body>
        <main>
        <h1>Data sources</h1>
        <p>This page has moved: <a href="\(address)">data sources</a>.</p>
        </main>
        </body>
        </html>

        """.utf8)
}
