import Diagnostics
import Testing

struct NearestNameTests {
    private static let keys = ["title", "theme", "targets", "sources", "base-url", "Language"]

    @Test(arguments: [
        ("tilte", "title"), ("theem", "theme"), ("target", "targets"), ("source", "sources"),
        ("sourcess", "sources"), ("baseurl", "base-url"), ("base_url", "base-url"), ("TITLE", "title"),
        ("langauge", "Language"), ("title", "title"),
    ])
    func slipOfThePenFindsTheName(name: String, expected: String) {
        #expect(nearestName(to: name, among: Self.keys) == expected)
    }

    @Test(arguments: ["", "zzzzz", "colors", "a-wholly-different-name", "船", "tttttttttttttttttttttttt"])
    func nothingIsFoundForAFarName(name: String) {
        #expect(nearestName(to: name, among: Self.keys) == nil)
    }

    @Test func nothingIsFoundAmongNoNames() {
        #expect(nearestName(to: "title", among: [String]()) == nil)
        #expect(nearestName(to: "", among: [String]()) == nil)
    }

    @Test func swapOfNeighboursCountsAsOneSlip() {
        #expect(nearestName(to: "ab", among: ["ba", "xy"]) == "ba")
        #expect(nearestName(to: "ca", among: ["abc"]) == nil)
    }

    @Test func firstInTheAlphabetWinsATieWhateverTheOrder() {
        #expect(nearestName(to: "bat", among: ["cat", "bet", "hat"]) == "bet")
        #expect(nearestName(to: "bat", among: ["hat", "bet", "cat"]) == "bet")
    }

    @Test func exactNameBeatsANearOne() {
        #expect(nearestName(to: "user", among: ["uses", "users", "user"]) == "user")
    }
}
