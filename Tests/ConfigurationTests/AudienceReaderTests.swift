import Analysis
import Configuration
import Diagnostics
import Testing

struct AudienceReaderTests {
    @Test(arguments: [
        ("", Audience.team), ("audience: team\n", .team), ("audience: public\n", Audience(.public)),
        ("audience: {for: public}\n", Audience(.public)),
        ("audience: {for: public, counts: shown}\n", Audience(.public, counts: .shown)),
        ("audience: {for: public, titles: shown}\n", Audience(.public, titles: .shown)),
        ("audience: {counts: hidden}\n", Audience(.team, counts: .hidden)),
    ])
    func audienceIsRead(text: String, audience: Audience) throws {
        let (read, problems) = readConfiguration(text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(problems.isEmpty)
        #expect(read?.audience == audience)
    }

    @Test(arguments: [
        ("audience: pubic\n", "yaml.unknown-word"), ("audience: {for: all}\n", "yaml.unknown-word"),
        ("audience: {counts: no}\n", "yaml.unknown-word"), ("audience: {count: shown}\n", "yaml.unknown-key"),
        ("audience: [public]\n", "yaml.wrong-type"),
    ])
    func faultsAreReported(text: String, id: String) {
        let (read, problems) = readConfiguration(text + "apps: []\n", path: "plimsoll.yml", sources: schemas)
        #expect(read == nil)
        #expect(problems.map(\.id) == [id])
    }
}
