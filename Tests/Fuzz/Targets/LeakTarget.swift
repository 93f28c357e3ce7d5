import Analysis

@testable import Site

private let search: LeakSearch = {
    var facts = SensitiveFacts()
    facts.texts = [
        SensitiveText(.title, "Knot came loose in the harbor of the old town", app: nil),
        SensitiveText(.name, "Ada Lovelace", app: nil), SensitiveText(.codePlace, "Rope.swift", app: nil),
    ]
    facts.counts = [12_345, 1_234_567]
    facts.smallCounts = [37]
    return LeakSearch(facts, ownText: "sessions and users")
}()

/// A finished file, in each form of numbers; what is hidden is found also after any bytes.
let leakTarget = FuzzTarget("leak") { bytes in
    for form in [NumberForm.text, .aligned, .cells, .mixed] { _ = search.leak(in: bytes, form) }
    let plain = bytes.filter { $0 == 0x20 || (0x61...0x7A).contains($0) }
    let hidden = plain + Array(" Ada Lovelace ".utf8) + plain
    for form in [NumberForm.text, .aligned] {
        require(search.leak(in: hidden, form) != nil, "what is hidden is found")
    }
}
