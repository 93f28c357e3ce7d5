import Diagnostics
import Testing

struct ConsoleTextTests {
    @Test func wholeDiagnosticHasALineForEachPart() {
        let diagnostic = Diagnostic.error(
            "theme.template-missing", "template 'release.html' missing in theme 'paper'",
            details: ["looked in: Themes/paper/templates/release.html", "and in the default theme"],
            at: .file(path: "Themes/paper/theme.yml", line: 3, column: 1),
            hints: ["copy the file from Themes/default/templates", "name another theme"])
        #expect(
            consoleText(of: diagnostic) == """
                error: template 'release.html' missing in theme 'paper' [theme.template-missing]
                  at Themes/paper/theme.yml:3:1
                  looked in: Themes/paper/templates/release.html
                  and in the default theme
                  hint: copy the file from Themes/default/templates
                  hint: name another theme
                """)
    }

    @Test(arguments: Diagnostic.Severity.allCases)
    func bareDiagnosticIsOneLine(severity: Diagnostic.Severity) {
        #expect(consoleText(of: Diagnostic(severity, id: "a.b", "Odd")) == "\(severity.rawValue): Odd [a.b]")
    }

    @Test func foreignTextCannotAddLinesOrDriveTheTerminal() {
        let diagnostic = Diagnostic.warning(
            "a.b", "title \u{1B}[31mred\nerror: forged", details: ["a\r\nb"],
            at: .keyPath(document: "d", path: "x\u{7}"), hints: ["try\u{202E}that"])
        #expect(
            consoleText(of: diagnostic) == #"""
                warning: title \u{1b}[31mred\u{a}error: forged [a.b]
                  at d: x\u{7}
                  a\u{d}\u{a}b
                  hint: try\u{202e}that
                """#)
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("Ärger 船 👩‍🚀 عربى", "Ärger 船 👩‍🚀 عربى"), ("\0", #"\u{0}"#),
        ("\t\n\r", #"\u{9}\u{a}\u{d}"#), ("\u{7F}\u{80}\u{9B}", #"\u{7f}\u{80}\u{9b}"#),
        ("a\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}", #"a\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}"#),
        ("\u{2066}\u{2067}\u{2068}\u{2069}b", #"\u{2066}\u{2067}\u{2068}\u{2069}b"#),
        ("\u{2065}\u{206A}\u{2029}", "\u{2065}\\u{206a}\u{2029}"), (#"\u{a}"#, #"\u{a}"#),
    ])
    func controlAndDirectionCharactersAreSpelledOut(text: String, expected: String) {
        // Scalars are compared: equality of strings would take two spellings of a letter for the same.
        #expect(Array(printable(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
