import Diagnostics
import Testing

struct NameHintTests {
    @Test(arguments: [
        ("bouy", ["buoy", "harbour"], "did you mean 'buoy'?"),
        ("zzzzzz", ["buoy", "harbour"], "use one of: buoy, harbour"), ("buoy", [], "none available"),
    ])
    func hintIsTheNearestNameOrAll(name: String, names: [String], expected: String) {
        #expect(nameHint(for: name, among: names) == expected)
    }

    @Test func hintNamesTheFirstOfMany() {
        let names = (100..<1100).map { "app-\($0)" }
        let hint = nameHint(for: "zzzzzz", among: names)
        #expect(hint == "use one of: " + names.prefix(20).joined(separator: ", "))
        #expect(choiceHint(names, most: 2) == "use one of: app-100, app-101")
        #expect(nearestHint(for: "zzzzzz", among: names) == nil)
    }
}
