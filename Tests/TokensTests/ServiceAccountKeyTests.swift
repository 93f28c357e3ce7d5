import Diagnostics
import GoogleStub
import Testing
import Transport

@testable import Tokens

struct ServiceAccountKeyTests {
    private let account = StubAccount.shared

    @Test func readsTheFileOfTheConsole() throws {
        let key = try ServiceAccountKey(json: account.file(tokenAddress: "https://oauth2.example/token"))
        #expect(key.email == account.email)
        #expect(key.projectID == "sketchbook")
        #expect(key.tokenAddress.text == "https://oauth2.example/token")
        #expect(key.signer.keyID == account.keyID)
    }

    @Test func withoutAnAddressTheUsualOneIsRequested() throws {
        let key = try ServiceAccountKey(json: account.file(tokenAddress: "", ["token_uri": nil as String?]))
        #expect(key.tokenAddress.text == "https://oauth2.googleapis.com/token")
    }

    private static let faults: [([String: String?], ServiceAccountKeyError)] = [
        (["type": "authorized_user"], .kind("authorized_user")), (["type": nil as String?], .kind("")),
        (["client_email": ""], .missing("client_email")),
        (["private_key": nil as String?], .missing("private_key")),
        (["private_key": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"], .key(.key(.rs256))),
        (["token_uri": "oauth2.googleapis.com/token"], .tokenAddress(.scheme(""))),
    ]

    @Test(arguments: faults.indices) func whatIsWrongIsReportedWithoutQuoting(index: Int) throws {
        let (changes, expected) = Self.faults[index]
        let file = account.file(tokenAddress: "https://oauth2.example/token", changes)
        let error = #expect(throws: ServiceAccountKeyError.self) { try ServiceAccountKey(json: file) }
        #expect(error == expected)
        let text = error.map { consoleText(of: $0.diagnostic) } ?? ""
        #expect(!text.contains(account.pem.split(separator: "\n")[2]) && !text.contains("AAAA"))
    }

    @Test(arguments: ["", "[]", "{", #"{"private_key":5}"#]) func otherFilesAreNoKeys(text: String) {
        let error = #expect(throws: ServiceAccountKeyError.self) {
            try ServiceAccountKey(json: Array(text.utf8))
        }
        #expect(error == .notJSON)
    }

    @Test func theKeyIsInNoText() throws {
        let key = try ServiceAccountKey(json: account.file(tokenAddress: "https://oauth2.example/token"))
        var dumped = "\(key)\(String(reflecting: key))"
        dump(key, to: &dumped)
        for line in account.pem.split(separator: "\n").dropFirst().dropLast() {
            #expect(!dumped.contains(line))
        }
    }
}
