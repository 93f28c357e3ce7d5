import ArgumentParser
import Diagnostics
import Files
import Site

/// A commented start of a theme.
struct ThemeNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a theme.",
        discussion: """
            The new theme has its own five colors and footer and inherits the rest. Existing files are kept.
            """)

    /// What a theme may begin from.
    enum Start: String, ExpressibleByArgument, CaseIterable {
        case `default`, plain
    }

    @Argument(help: "Theme name: lowercase letters, digits and '-'.")
    var name: String

    @Option(help: "Theme to start from: default (inherit its files) or plain (copy its files).")
    var from = Start.default

    @OptionGroup var configuration: ConfigurationOption

    func run() throws {
        let console = Console()
        let project = try ThemeProject(configuration.file, console)
        let folder = "\(project.folder)/Themes/\(name)"
        try refuseOddName(console)
        guard pathKind(folder) == .missing else {
            throw console.stop(
                .usage(
                    "theme.exists", "'\(folder)' already exists; nothing was written",
                    at: .file(path: folder), hints: ["choose another name, or remove the folder first"]))
        }
        do throws(FileFailure) {
            var files = themeStart(name)
            if from == .plain {
                for file in try themeFiles(project.data + "/Themes/plain") {
                    files[file.path] = file.path == "theme.yml" ? renamed(file.bytes) : file.bytes
                }
            }
            for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
                try makeFolder(splitPath("\(folder)/\(path)").folder)
                try writeFile("\(folder)/\(path)", bytes)
                console.result("Wrote \(folder)/\(path)")
            }
        } catch {
            throw console.stop(error.diagnostic)
        }
        console.result("Next: set 'theme: \(name)' in \(configuration.file),")
        console.result("      change the colors in \(folder)/assets/colours.css,")
        console.result("      then run 'plimsoll build' and 'plimsoll check'")
    }

    private func refuseOddName(_ console: Console) throws(ExitStatus) {
        let isPlain = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
        let isLetterFirst = name.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
        if !isPlain || !isLetterFirst || name.utf8.count > 60 {
            throw console.stop(
                .usage(
                    "theme.bad-name", "'\(printable(name))' is not a valid theme name",
                    hints: ["use lowercase letters, digits and '-', starting with a letter, such as 'harbor'"]
                ))
        }
        guard Start(rawValue: name) == nil else {
            throw console.stop(
                .usage(
                    "theme.bad-name", "'\(name)' is an installed theme",
                    hints: [
                        "use another name; to change single files of it, put them into Themes/\(name)"
                    ]))
        }
    }

    /// `theme.yml` of another theme with this name.
    private func renamed(_ bytes: [UInt8]) -> [UInt8] {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return Array(
            lines.map { $0.hasPrefix("name:") ? "name: \(name)" : String($0) }.joined(separator: "\n").utf8)
    }
}

/// The files of a theme to begin with, by their paths.
func themeStart(_ name: String) -> [String: [UInt8]] {
    [
        "theme.yml": Array(themeFileText(name).utf8), "assets/colours.css": Array(colorsText.utf8),
        "templates/partials/footer.html": Array(footerText.utf8),
    ]
}

private func themeFileText(_ name: String) -> String {
    """
    name: \(name)
    description: Our own colors and footer.
    # What 'plimsoll check' measures; without this the pairs of the default theme count.
    # contrast:
    #   text: [ink on paper, soft on paper]     # 4.5 to 1
    #   marks: [accent on paper]                # 3 to 1

    """
}

private let colorsText = """
    /* Five colors make both palettes; change these, then run 'plimsoll check'. */

    :root {
      color-scheme: light dark;
      --ink: #1d2230;     /* text */
      --paper: #fdfdfb;   /* the ground */
      --accent: #5b2d86;  /* links, series of charts, new things */
      --good: #17633f;    /* targets met, recoveries */
      --bad: #a1261d;     /* targets missed, alerts, failures */
    }

    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ink: #e6e6ee;
        --paper: #15141c;
        --accent: #c7a6ef;
        --good: #86d0a6;
        --bad: #ff9f88;
      }
    }

    /* Everything else is mixed from the five. */
    :root {
      --soft: color-mix(in srgb, var(--ink) 71%, var(--paper));
      --line: color-mix(in srgb, var(--ink) 15%, var(--paper));
      --line-strong: color-mix(in srgb, var(--ink) 50%, var(--paper));
      --wash: color-mix(in srgb, var(--ink) 4%, var(--paper));
      --good-wash: color-mix(in srgb, var(--good) 10%, var(--paper));
      --bad-wash: color-mix(in srgb, var(--bad) 10%, var(--paper));
      --accent-wash: color-mix(in srgb, var(--accent) 10%, var(--paper));
    }

    """

private let footerText = """
    {{! The words at the foot of every page. A name that does not exist is an error with line and column. }}
    <p class="freshness"><span class="sign sign-clock" aria-hidden="true"></span>{{frame.freshness}}{{#frame.asOf}} Report as of {{frame.asOf}}.{{/frame.asOf}}</p>
    <p>{{frame.siteTitle}}: ask your own team before you ask the numbers.</p>

    """
