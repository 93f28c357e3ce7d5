import Foundation
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

    /// Each byte may be written in another way, in upper and lower case, and what is written so once more.
    @Test(arguments: [
        "a/b+c=é d", "a%2Fb%2Bc%3D%C3%A9%20d", "a%2fb%2bc%3d%c3%a9%20d", "a%2Fb%2Bc%3D%C3%A9+d".lowercased(),
        "a%252fb%252Bc%3Dé d", #"a\/b\u002Bc\u003D\u00E9 d"#, #"a\u002fb\u002bc\u003d\u00e9\u0020d"#,
        #"\u0061\u002f\u0062\u002b\u0063\u003D\u00e9\u0020\u0064"#, #"a\\/b\\u002Bc\\u003Dé d"#,
        "a&#47;b&#x2b;c&#x3D;é d", "a&amp;#47;b+c=é d", #"a\x2fb\x2Bc=é d"#, "a%2Fb&#43;c\\u003dé d",
    ])
    func masksSecretsHoweverTheyAreEscaped(text: String) {
        check("got '\(text)' here", "got '<redacted>' here", secret: "a/b+c=é d")
    }

    @Test(arguments: ["%2", #"\u00"#, "&#", "%zz", #"\u00zz\ud83d"#, "&amp", "a/b%2", "%", "\\", "&"])
    func whatIsNoEscapeStays(text: String) {
        check(text, text, secret: "a/b+c=é d")
        check("a/b+c=é d" + text, "<redacted>" + text, secret: "a/b+c=é d")
    }

    @Test(arguments: [("ababab", "<redacted>"), ("x\\ababab", "x<redacted>"), ("😀b", "😀b")])
    func masksAllOfWhatOverlaps(text: String, expected: String) {
        check(text, expected, secret: "abab")
    }

    @Test(arguments: [#"\ud83d\ude00key"#, #"\uD83D\uDE00key"#, "%f0%9F%98%80key", "&#128512;key", "😀key"])
    func masksCharactersOfTwoUnits(text: String) { check(text, "<redacted>", secret: "😀key") }

    /// What is sent as `user:password` or as `\0user\0password` is one text in base64 (RFC 7617, RFC 4616).
    @Test(arguments: 0..<7, ["hunter2secretpw", "hunter2secretp", "a?>b?>c~~~", "wrong"])
    func masksASecretWithinBase64(before: Int, password: String) throws {
        let redaction = Redaction([try secret(password)])
        for behind in ["", ":", "\n\n"] {
            let text = String(repeating: "u", count: before) + password + behind
            let encoded = Data(text.utf8).base64EncodedString()
            let forms = [
                encoded, encoded.replacing("+", with: "-").replacing("/", with: "_"),
                encoded.replacing("+", with: "%2b").replacing("/", with: "%2F").replacing("=", with: "%3D"),
                encoded.replacing("+", with: #"\u002b"#).replacing("/", with: #"\/"#),
            ]
            for form in forms {
                let shown = redaction.masked("failed: \(form)")
                // No character that has a bit of it stays.
                let own = encoded.prefix(before * 8 / 6) + "<redacted>"
                #expect(shown.hasPrefix("failed: " + own), "\(form): \(shown)")
                #expect(shown.utf8.count <= "failed: ".utf8.count + own.utf8.count + 10, "\(form): \(shown)")
                #expect(redaction.masked(body: Array("{\"a\":\"\(form)\"}".utf8)).count < 40 + before * 2)
            }
        }
    }

    /// A text that is cut leaves no first part of a secret at its end.
    @Test(arguments: 90...110) func aCutLeavesNoPartOfASecret(length: Int) throws {
        let redaction = Redaction([try secret("s3c+r3ts")])
        for form in ["s3c+r3ts", "s3c%2br3ts", #"s3c\u002br3ts"#, "czNjK3IzdHM="] {
            let bytes = Array((String(repeating: "x", count: length) + form + "yyyy").utf8)
            let shown = redaction.masked(bytes, first: 100)
            #expect(shown.replacing("<redacted>", with: "").allSatisfy { "xy".contains($0) }, "\(shown)")
        }
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
        ("Basic czNjL3IzdCJ0b2tlbg==", "Basic <redacted>"), ("s3c/r3t", "s3c/r3t"), ("", ""),
        ("{\"title\":\"a\\ns3c\\u002Fr3t\\u0022token\"}", "{\"title\":\"a\\n<redacted>\"}"),
        ("{\"title\":\"\\\\s3c/r3t\\\"token\"}", "{\"title\":\"\\\\<redacted>\"}"),
        ("<p>s3c&#x2F;r3t&quot;token</p>", "<p><redacted></p>"),
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
