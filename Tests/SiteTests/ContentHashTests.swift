import Testing

@testable import Site

/// Against the examples of FIPS 180-4 and the lengths around a block.
struct ContentHashTests {
    @Test(arguments: [
        ("", "e3b0c44298"), ("abc", "ba7816bf8f"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d2"),
        (String(repeating: "a", count: 55), "9f4390f8d3"), (String(repeating: "a", count: 56), "b35439a4ac"),
        (String(repeating: "a", count: 63), "7d3e74a05d"), (String(repeating: "a", count: 64), "ffe054fe7a"),
        (String(repeating: "a", count: 65), "635361c48b"),
        (String(repeating: "a", count: 1000), "41edece42d"),
    ])
    func fingerprintIsTheStartOfTheHash(text: String, digits: String) {
        #expect(fingerprint(of: Array(text.utf8)) == digits)
    }
}
