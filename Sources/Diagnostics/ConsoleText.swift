/// The text of a diagnostic for a terminal or a log.
///
/// ```
/// error: template 'release.html' missing in theme 'paper' [theme.template-missing]
///   at Themes/paper/theme.yml:3:1
///   looked in: Themes/paper/templates/release.html
///   hint: copy the file from Themes/default/templates
/// ```
package func consoleText(of diagnostic: Diagnostic) -> String {
    var lines = ["\(diagnostic.severity.rawValue): \(diagnostic.summary) [\(diagnostic.id)]"]
    if let location = diagnostic.location { lines.append("  at \(location)") }
    lines += (diagnostic.quotes + diagnostic.details).map { "  \($0)" }
    lines += diagnostic.hints.map { "  hint: \($0)" }
    return lines.map(printable).joined(separator: "\n")
}

/// The text with control characters shown as `\u{…}`, so that foreign text cannot drive a terminal.
package func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isControl(scalar) {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isUnsafe || scalar == "\n" || scalar == "\t"
}
