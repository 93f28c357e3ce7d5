import Configuration
import Diagnostics
import Settings
import Testing

struct OutputsReaderTests {
    @Test(
        arguments: [
            ("", []), ("outputs: {}\n", []), ("outputs: {issue: []}\n", ["issue: html markdown"]),
            (
                "outputs: {issue: [json], day: [charts, csv]}\n",
                ["day: charts csv html markdown", "issue: html json markdown"]
            ),
            ("outputs: {issue: [html], day: [csv, html]}\n", ["day: csv html", "issue: html"]),
            ("outputs: {activity: [markdown]}\n", ["activity: html markdown"]),
        ] as [(String, [String])])
    func outputsAreRead(text: String, lines: [String]) {
        let (read, problems) = readConfiguration(
            text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(problems.isEmpty, "\(problems)")
        #expect(read?.outputs.lines == lines)
    }

    @Test(arguments: [
        ("outputs: {issue: [pdf]}\n", "yaml.unknown-word"),
        ("outputs: {page: [json]}\n", "yaml.unknown-key"),
        ("outputs: {issue: json}\n", "yaml.wrong-type"), ("outputs: [json]\n", "yaml.wrong-type"),
    ])
    func faultsAreNamed(text: String, id: String) {
        let (_, problems) = readConfiguration(
            text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(problems.map(\.id) == [id])
    }
}
