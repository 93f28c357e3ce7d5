import Configuration
import Diagnostics
import Settings
import Testing

struct OutputsReaderTests {
    @Test(
        arguments: [
            ("", []), ("outputs: {}\n", []), ("outputs: {issue: []}\n", ["issue: "]),
            ("outputs: {issue: [json], day: [charts, csv]}\n", ["day: charts csv", "issue: json"]),
        ] as [(String, [String])])
    func outputsAreRead(text: String, lines: [String]) {
        let (read, problems) = readConfiguration(
            text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(problems.isEmpty, "\(problems)")
        #expect(read?.outputs.lines == lines)
    }

    @Test(arguments: [
        ("outputs: {issue: [html]}\n", "yaml.unknown-word"),
        ("outputs: {page: [json]}\n", "yaml.unknown-key"),
        ("outputs: {issue: json}\n", "yaml.wrong-type"), ("outputs: [json]\n", "yaml.wrong-type"),
    ])
    func faultsAreNamed(text: String, id: String) {
        let (_, problems) = readConfiguration(
            text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(problems.map(\.id) == [id])
    }
}
