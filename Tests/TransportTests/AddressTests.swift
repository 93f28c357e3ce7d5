import Testing

@testable import Transport

struct AddressTests {
    private func check(_ text: String, _ expected: String) throws {
        #expect(try Address(text).text == expected)
    }

    @Test(arguments: [
        ("https://Example.COM", "https://example.com/"), ("HTTPS://a.b:443/x", "https://a.b/x"),
        ("http://a.b:8080/x?q=1#part", "http://a.b:8080/x?q=1"), ("http://[::1]:80/", "http://[::1]/"),
        ("https://a.b/x/../y", "https://a.b/y"), ("file:///tmp/x.json", "file:///tmp/x.json"),
        ("https://a.b?x=%20", "https://a.b/?x=%20"), ("http://127.1/", "http://127.0.0.1/"),
    ])
    func keepsTheNormalForm(text: String, expected: String) throws {
        try check(text, expected)
    }

    @Test(arguments: [
        "", "example.com", "//example.com/", "ftp://a.b/", "gopher://a.b", "javascript:alert(1)", "http:/a.b",
        "http:///a.b", "http://", "https://:80/", "https://a b/", "https://a.b/\r\nX: y", "https://a.b/\0",
        "https://user@a.b/", "https://user:pass@a.b/", "https://a.b:99999/", "https://a.b:x/",
        "https://a.b\\@c.d/",
        "https://bücher.example/", "https://a%0Ab/", "https://a.b/<x>", "data:text/plain,x",
        "https://a.b/\u{7F}",
        "https://a.b/?q=http:///x", "scp://a.b/x", "https://[::1/", "file://host/x",
    ])
    func refuses(text: String) {
        #expect(throws: AddressError.self) { try Address(text) }
    }

    @Test func refusesTooLong() {
        #expect(throws: AddressError.tooLong(bytes: 20_014)) {
            try Address("https://a.b/?q" + String(repeating: "x", count: 20_000))
        }
    }

    @Test func namesTheOrigin() throws {
        #expect(try Address("https://a.b/x").origin.description == "https://a.b")
        #expect(try Address("http://a.b:81/x").origin == Origin(scheme: .http, host: "a.b", port: 81))
        #expect(try Address("https://a.b/").origin == Address("https://A.B:443/y?z").origin)
        #expect(try Address("http://a.b/").origin != Address("https://a.b/").origin)
    }

    @Test func buildsPathAndQuery() throws {
        let base = try Address("https://a.b/api/0/")
        #expect(
            try base.appending("releases", "app@4.2+1/x", "").text
                == "https://a.b/api/0/releases/app%404.2%2B1%2Fx/")
        let asked = try base.adding(query: [
            ("field", "sum(session)"), ("field", "a&b=ü"), ("cursor", "0:1:0"),
        ])
        #expect(
            asked.text == "https://a.b/api/0/?field=sum%28session%29&field=a%26b%3D%C3%BC&cursor=0%3A1%3A0")
        #expect(try asked.adding(query: [("x", "1")]).query?.hasSuffix("&x=1") == true)
        #expect(throws: AddressError.self) { try base.appending("..", "x") }
        #expect(throws: AddressError.self) { try base.appending("", "x") }
    }

    @Test(arguments: [
        ("/x", "https://a.b/x"), ("y?z=1", "https://a.b/p/y?z=1"), ("//c.d/x", "https://c.d/x"),
        ("http://c.d", "http://c.d/"), ("?n=2", "https://a.b/p/q?n=2"),
        ("with space", "https://a.b/p/with%20space"),
    ])
    func resolvesReferences(reference: String, expected: String) throws {
        #expect(try Address("https://a.b/p/q?n=1").resolving(reference).text == expected)
    }

    @Test func printsWithoutSecrets() throws {
        let address = try Address("https://a.b/x?token=abc&X-Amz-Signature=def&page=2&api_key=ghi")
        let expected = "https://a.b/x?token=<redacted>&X-Amz-Signature=<redacted>&page=2&api_key=<redacted>"
        var dumped = ""
        dump([address], to: &dumped)
        #expect("\(address)" == expected && "\([address])" == "[\(expected)]" && !dumped.contains("abc"))
    }
}
