import Testing

@testable import Transport

struct RedactionTests {
    private func check(_ text: String, _ expected: String, secret: String? = nil) {
        #expect(Redaction([secret.flatMap(Secret.init)].compactMap { $0 }).masked(text) == expected)
    }

    @Test(arguments: [
        ("got a/b+c here", "got <redacted> here"), ("q=a%2Fb%2Bc", "q=<redacted>"),
        (#"{"x":"a\/b+c"}"#, #"{"x":"<redacted>"}"#), ("a/b+c\u{301}", "<redacted>\u{301}"),
        ("a/b+ca/b+c", "<redacted><redacted>"), ("a/b", "a/b"),
    ])
    func masksRegisteredSecrets(text: String, expected: String) {
        check(text, expected, secret: "a/b+c")
    }

    @Test(arguments: [
        ("https://u:p@h/x", "https://<redacted>@h/x"), ("https://h/a@b", "https://h/a@b"),
        ("see http://h/?token=1&x=2", "see http://h/?token=<redacted>&x=2"),
        ("token_auth=1&module=API", "token_auth=<redacted>&module=API"),
        ("?access_token=1#f", "?access_token=<redacted>#f"), ("?key=1", "?key=<redacted>"),
        ("?X-Amz-Credential=1&X-Amz-Date=2", "?X-Amz-Credential=<redacted>&X-Amz-Date=<redacted>"),
        ("?%74oken=1", "?%74oken=<redacted>"), ("?author=1&page=2", "?author=1&page=2"),
        ("?token=", "?token="),
        (#"{"access_token": "abc", "n": 1}"#, #"{"access_token": "<redacted>", "n": 1}"#),
        (#"{"password": "a\"b\\", "n": 1}"#, #"{"password": "<redacted>", "n": 1}"#),
        (#"{"token": 12, "n": 1}"#, #"{"token": <redacted>, "n": 1}"#), (#"{"token": """#, #"{"token": """#),
        (#"{"tokens": ["a", "b"]}"#, #"{"tokens": <redacted>, "b"]}"#),
        (#"{"next": "/?a=1\u0026token=abc"}"#, #"{"next": "/?a=1\u0026token=<redacted>"}"#),
        ("Authorization: Bearer abc", "Authorization: Bearer <redacted>"),
        ("a bearer of news", "a bearer <redacted> news"),
        ("", ""), ("?", "?"), ("\"", "\""), ("\"token\"", "\"token\""), ("\"token\":", "\"token\":"),
        ("//", "//"),
        ("?password=<redacted>", "?password=<redacted>"), ("Bearer ", "Bearer "),
    ])
    func masksPlacesOfSecrets(text: String, expected: String) {
        check(text, expected)
    }

    @Test func masksTheLongerOfTwoSecretsFirst() throws {
        let redaction = Redaction([try secret("abc"), try secret("abcdef")])
        #expect(redaction.masked("abcdef abc") == "<redacted> <redacted>")
    }

    @Test func secretNeverPrints() throws {
        let value = try secret("hidden")
        var dumped = ""
        dump((value, Credential.bearer(value)), to: &dumped)
        #expect(
            !("\(value) \(String(reflecting: value)) \(Credential.token(value))" + dumped).contains("hidden"))
    }

    @Test func secretIsTrimmedAndNeverEmpty() {
        #expect(Secret(" abc\n")?.text == "abc")
        #expect(Secret("") == nil && Secret(" \n") == nil && Secret("a\nb") == nil && Secret("a\0") == nil)
    }

    /// What a service sends back of `s3c/r3t"token`, in each form, and what stays.
    @Test(arguments: [
        ("a s3c/r3t\"token b", "a <redacted> b"), ("s3c%2Fr3t%22token", "<redacted>"),
        ("{\"title\":\"s3c/r3t\\\"token\"}", "{\"title\":\"<redacted>\"}"),
        ("{\"title\":\"s3c\\/r3t\\\"token\"}", "{\"title\":\"<redacted>\"}"),
        ("Basic czNjL3IzdCJ0b2tlbg==", "Basic <redacted>g=="), ("s3c/r3t", "s3c/r3t"), ("", ""),
    ])
    func bodiesLoseTheSecretsOfTheirRequest(body: String, expected: String) throws {
        let redaction = Redaction([try secret("s3c/r3t\"token"), try secret("abc")])
        #expect(String(decoding: redaction.masked(body: Array(body.utf8)), as: UTF8.self) == expected)
        #expect(redaction.masked(body: Array("abcabc".utf8)) == Array("abcabc".utf8))
    }

    @Test func checkedResponsesHoldNoSecretOfTheirRequest() throws {
        let response = Response(
            status: 200, body: Array("{\"title\":\"s3cr3ts\"}".utf8), address: try Address("https://a.b/"),
            redaction: Redaction([try secret("s3cr3ts")]))
        #expect(try response.checked().text == "{\"title\":\"<redacted>\"}")
    }
}
