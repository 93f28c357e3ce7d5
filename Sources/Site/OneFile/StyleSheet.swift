import Crypto
import Diagnostics
import Foundation
import Markup

/// The style sheets of a theme for a `style` element, with the policy that admits them and nothing else.
struct StyleSheet: Sendable {
    /// The text of the element.
    let text: String

    /// The style sheets of a theme, one after the other in the order of their names, that for paper last.
    ///
    /// - Throws: a diagnostic when a sheet could end the element or would load another file.
    init(_ assets: ThemeAssets) throws(Diagnostic) {
        let sheets = assets.files.filter { $0.name.hasSuffix(".css") }.map { asset in
            let text = String(decoding: asset.bytes, as: UTF8.self)
            let isForPaper = asset.name == "print.css"
            return (
                file: asset.file, text: isForPaper ? "@media print {\(text)}" : text, isForPaper: isForPaper
            )
        }
        for sheet in sheets {
            if let what = foreign(in: sheet.text) {
                throw .usage(
                    "theme.not-alone", "The style sheet \(what), so it cannot stand in a single file",
                    at: .file(path: sheet.file),
                    hints: ["include fonts and images as 'data:' URLs, or remove them"])
            }
        }
        // An element's text keeps no carriage returns, and the hash is of what is in it then.
        let ordered = sheets.filter { !$0.isForPaper } + sheets.filter(\.isForPaper)
        text = ordered.map(\.text).joined(separator: "\n").replacing("\r\n", with: "\n").replacing(
            "\r", with: "\n")
    }

    /// `default-src 'none'; style-src 'sha256-…'; …`: a hash names this text alone, so that no other style, no
    /// script and no request can be smuggled in by what a service reported (CSP 3, §2.3.1).
    var policy: String {
        let hash = Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        return
            "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; base-uri 'none'; form-action 'none'"
    }
}

/// What in a style sheet would end its element or load another file.
private func foreign(in text: String) -> String? {
    let text = text.lowercased()
    if text.contains("</style") { return "ends its own element" }
    if text.contains("@import") { return "imports another one" }
    for part in text.split(separator: "url(").dropFirst() {
        let address = part.drop { $0 == "\"" || $0 == "'" || $0.isWhitespace }
        if !address.hasPrefix("data:"), !address.hasPrefix("#") { return "loads another file" }
    }
    return nil
}
