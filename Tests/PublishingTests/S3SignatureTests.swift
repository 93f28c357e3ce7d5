import Files
import Foundation
import Testing
import Transport

@testable import Publishing

struct S3SignatureTests {
    private func key(_ id: String, _ text: String, token: String = "") throws -> S3Key {
        S3Key(id: id, secret: try #require(Secret(text)), token: Secret(token))
    }

    /// The examples of the service's documentation: "Authenticating Requests: Using the Authorization Header".
    @Test(arguments: [
        (
            "GET", "/test.txt", "", [("range", "bytes=0-9")], "",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        (
            "PUT", "/test%24file.text", "",
            [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            "Welcome to Amazon S3.", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        (
            "GET", "/", "lifecycle=", [], "",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        (
            "GET", "/", "max-keys=2&prefix=J", [], "",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func agreesWithTheDocumentation(
        method: String, path: String, query: String, headers: [(String, String)], body: String,
        signature: String
    ) throws {
        let key = try key("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        let hash = contentHash(Array(body.utf8))
        let all =
            headers.map { (name: $0.0, value: $0.1) } + [
                (name: "host", value: "examplebucket.s3.amazonaws.com"),
                (name: "x-amz-content-sha256", value: hash), (name: "x-amz-date", value: "20130524T000000Z"),
            ]
        let line = S3Signature(key: key, region: "us-east-1").authorization(
            .init(method: method, path: path, query: query, headers: all, bodyHash: hash), at: 1_369_353_600)
        #expect(line.hasSuffix("Signature=\(signature)"))
    }

    @Test(arguments: [
        (0, "19700101T000000Z"), (1_369_353_600, "20130524T000000Z"), (951_782_399, "20000228T235959Z"),
        (951_827_696, "20000229T123456Z"), (4_102_444_799, "20991231T235959Z"), (-1, "19691231T235959Z"),
    ])
    func datesAreThoseOfTheCalendar(seconds: Int, text: String) {
        #expect(amzDate(seconds) == text)
    }

    private struct Sample: Encodable {
        var method: String
        var url: String
        var headers: [[String]]
        var body: String
        var time: String
        var region: String
        var key = "AKIATEST"
        var secret = "s3cr3t/k+y"
        var token: String
    }

    /// Another implementation, where it is installed: the signatures must be the same, byte for byte.
    @Test func agreesWithBotocore() async throws {
        var samples: [Sample] = []
        var own: [String] = []
        for (index, path) in ["/reports/a", "/reports/a%20b/c%28d%29", "/reports/%C3%BC~x", "/reports/"]
            .enumerated()
        {
            for (method, query, body) in [
                ("PUT", "", "body \(index)"), ("GET", "list-type=2&prefix=a%2Fb", ""), ("DELETE", "", ""),
            ] {
                for token in ["", "t0ken+/="] {
                    var headers = [("Cache-Control", "public, max-age=300")]
                    if method == "PUT" { headers.append(("Content-Type", "text/html; charset=utf-8")) }
                    let key = try key("AKIATEST", "s3cr3t/k+y", token: token)
                    let time = 1_763_618_400 + index
                    let hash = contentHash(Array(body.utf8))
                    var signed = headers.map { (name: $0.0, value: $0.1) }
                    signed += [
                        (name: "host", value: "127.0.0.1:9000"), (name: "x-amz-content-sha256", value: hash),
                        (name: "x-amz-date", value: amzDate(time)),
                    ]
                    if !token.isEmpty { signed.append((name: "x-amz-security-token", value: token)) }
                    own.append(
                        S3Signature(key: key, region: "eu-central-1").authorization(
                            .init(method: method, path: path, query: query, headers: signed, bodyHash: hash),
                            at: time))
                    samples.append(
                        Sample(
                            method: method,
                            url: "http://127.0.0.1:9000\(path)\(query.isEmpty ? "" : "?" + query)",
                            headers: headers.map { [$0.0, $0.1] }, body: body, time: amzDate(time),
                            region: "eu-central-1", token: token))
                }
            }
        }
        let script =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/botocore_signature.py"
        let python = ChildProcess(
            program: "python3", arguments: [script], environment: ProcessInfo.processInfo.environment,
            folder: "/", input: [UInt8](try JSONEncoder().encode(samples)))
        guard let result = try? await python.run(), result.status != 77 else { return }
        #expect(result.status == 0, "\(result.errors)")
        #expect(try JSONDecoder().decode([String].self, from: Data(result.output)) == own)
    }

    @Test func answersAreReadWithoutTrust() {
        #expect(
            xmlValues("Key", in: "<a><Key>x&amp;y&lt;&#x41;&#66;&quot;&apos;</Key><Key>z</Key>") == [
                "x&y<AB\"'", "z",
            ])
        let signed = xmlValues("Key", in: "<a><Key>&#+66;&#x+41;</Key></a>").joined()
        #expect(!signed.contains("A") && !signed.contains("B"))
        for text in ["<Key>", "<Key>a", "", "<Key>&;&#xFFFFFFFF;&#55296;&amp</Key>"] {
            #expect(xmlValues("Key", in: text).count <= 1)
        }
        #expect(xmlValues("Key", in: "<Key>&#x10FFFF;&#x00041;&a; b;</Key>") == ["\u{10FFFF}A&a; b;"])
    }

    /// In a time that grows as the text does, not as its square.
    @Test(.timeLimit(.minutes(1))) func aKeyOfMarksAloneIsRead() {
        let marks = String(repeating: "&", count: 200_000)
        #expect(xmlValues("Key", in: "<Key>\(marks)</Key>") == [marks])
    }
}
