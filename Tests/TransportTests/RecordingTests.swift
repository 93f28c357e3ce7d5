import Diagnostics
import Foundation
import LoopbackServer
import Testing

@testable import Transport

struct RecordingTests {
    private let folder = ScratchFolder()

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.bytes(name), as: UTF8.self)
    }

    @Test func writesOneReadableFileAnExchange() async throws {
        let server = try await LoopbackServer.start(
            answering: .text(
                "{\"days\":[]}", headers: [("Set-Cookie", "id=abc"), ("Link", "<x?page_token=a>")]))
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        let request = try Request.make(server.origin + "/v2/days?token=hidden", .post, body: "page=1")
            .with("Accept", "text/plain").with("Auth-Token", secret("s3cr3t"))
        _ = try await recorder.send(request)
        #expect(recorder.fault == nil && folder.files == ["000001.json"])
        let written = try text("000001.json").replacing(server.origin, with: "http://stub")
        let kept = written.split(separator: "\n").filter { !$0.contains("date") && !$0.contains("Date") }
        #expect(
            kept.joined(separator: "\n")
                == """
                {
                  "format" : 1,
                  "number" : 1,
                  "request" : {
                    "address" : "http://stub/v2/days?token=redacted",
                    "body" : {
                      "text" : "page=1"
                    },
                    "headers" : [
                      {
                        "name" : "Accept",
                        "value" : "text/plain"
                      }
                    ],
                    "method" : "POST"
                  },
                  "response" : {
                    "address" : "http://stub/v2/days?token=redacted",
                    "body" : {
                      "text" : "{\\"days\\":[]}"
                    },
                    "headers" : [
                      {
                        "name" : "Content-Type",
                        "value" : "text/plain"
                      },
                      {
                        "name" : "Link",
                        "value" : "<x?page_token=a>"
                      }
                    ],
                    "httpVersion" : "1.1",
                    "status" : 200
                  }
                }
                """)
        await server.stop()
    }

    @Test func replaysWhatWasRecorded() async throws {
        let server = try await LoopbackServer.start { request in
            switch request.path {
            case "/binary":
                StubResponse(headers: [("X-Twice", "a"), ("X-Twice", "b")], body: [0, 255, 10, 200])
            case "/moved": .redirect(to: "/end")
            default: .text("\(request.method) \(request.target) \(request.text)", status: 207)
            }
        }
        let requests = [
            try Request.make(server.origin + "/binary"), try .make(server.origin + "/moved"),
            try .make(server.origin + "/q?a=1"), try .make(server.origin + "/q", .post, body: "{\"a\":1}"),
        ]
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        var expected: [Response] = []
        for request in requests { expected.append(try await recorder.send(request)) }
        await server.stop()
        let replay = try ReplayingSender(folder: folder.path)
        for (request, expected) in zip(requests, expected) {
            let found = try await replay.send(request)
            #expect(found.status == expected.status && found.body == expected.body)
            #expect(found.address == expected.address && found.httpVersion == "1.1")
            #expect(found.headers.values(for: "X-Twice") == expected.headers.values(for: "X-Twice"))
        }
    }

    @Test func theSameRequestGetsTheAnswersInTheirOrder() async throws {
        let server = try FaultServer.start(
            scripts: ["one", "two"].map { [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\($0)")] } + [
                [.reset]
            ])
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        let request = try Request.make(server.origin)
        for _ in 0..<2 { _ = try await recorder.send(request) }
        #expect(await failure(of: request, by: recorder)?.kind == .reset)
        let replay = try ReplayingSender(folder: folder.path)
        #expect(try await [replay.send(request).text, replay.send(request).text] == ["one", "two"])
        let failed = try #require(await failure(of: request, by: replay))
        #expect(failed.kind == .reset && failed.code?.hasPrefix("CURLE_") == true && !failed.text.isEmpty)
        let over = try #require(await failure(of: request, by: replay))
        #expect(over.kind == .notRecorded && over.text == "recorded 3 times, requested once more")
    }

    @Test func anUnknownRequestNamesTheNearest() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        for target in ["/projects/1/trend", "/projects/1/errors?page=1", "/organizations"] {
            _ = try await recorder.send(.make(server.origin + target))
        }
        await server.stop()
        let replay = try ReplayingSender(folder: folder.path)
        let error = try #require(
            await failure(of: .make(server.origin + "/projects/1/errors?page=2"), by: replay))
        #expect(error.kind == .notRecorded)
        #expect(error.text == "the nearest recorded is GET \(server.origin)/projects/1/errors?page=1")
        #expect(error.diagnostic.id == "transport.not-recorded")
        let posted = try #require(
            await failure(of: .make(server.origin + "/organizations", .post), by: replay))
        #expect(posted.text == "the nearest recorded is GET \(server.origin)/organizations")
    }

    @Test func anotherBodyIsAnotherRequest() async throws {
        let server = try await LoopbackServer.start { .text($0.text) }
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        for body in ["a", "b"] { _ = try await recorder.send(.make(server.origin, .post, body: body)) }
        await server.stop()
        let replay = try ReplayingSender(folder: folder.path)
        #expect(try await replay.send(.make(server.origin, .post, body: "b")).text == "b")
        let error = try #require(await failure(of: .make(server.origin, .post, body: "c"), by: replay))
        #expect(error.text == "it was recorded with another body")
    }

    @Test func replaysWithAnotherTokenAndHoldsNone() async throws {
        let server = try await LoopbackServer.start { request in
            .json(
                #"{"access_token": "ya29.fresh", "key": "browser", "signature": "OOM | small", "#
                    + #""nextPageToken": "abc", "n": 5, "echo": "\#(request.header("Auth-Token") ?? "")", "#
                    + #""url": "https://files.example/x?X-Amz-Signature=f00&part=1"}"#)
        }
        func request(_ token: String) throws -> Request {
            var request = try Request.make(
                "\(server.origin)/\(token)/x?key=\(token)", .post, body: "assertion=\(token)")
            request.conceal(try secret(token))
            return try request.with("Auth-Token", secret(token))
        }
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        _ = try await recorder.send(request("s3cr3t"))
        await server.stop()
        let written = try text("000001.json")
        for hidden in ["s3cr3t", "ya29", "f00", "Auth-Token"] { #expect(!written.contains(hidden)) }
        let body = try await ReplayingSender(folder: folder.path).send(request("an0ther")).text
        #expect(
            body == #"{"access_token": "redacted", "key": "browser", "signature": "OOM | small", "#
                + #""nextPageToken": "abc", "n": 5, "echo": "redacted", "#
                + #""url": "https://files.example/x?X-Amz-Signature=redacted&part=1"}"#)
    }

    @Test func recordsFilesToo() async throws {
        let request = try Request.make("file://\(#filePath)")
        let recorder = try RecordingSender(Client.make { $0.allowsFiles = true }, folder: folder.path)
        let text = try await recorder.send(request).text
        let missing = try Request.make("file:///does/not/exist.json")
        #expect(await failure(of: missing, by: recorder)?.kind == .file)
        let replay = try ReplayingSender(folder: folder.path)
        let found = try await replay.send(request)
        // What looks like a credential in this file is scrubbed as anywhere.
        #expect(found.status == 200 && found.body.count > text.utf8.count / 2 && found.httpVersion == "")
        #expect(await failure(of: missing, by: replay)?.kind == .file)
    }

    @Test func retriesAreExchangesOfTheirOwn() async throws {
        let server = try FaultServer.start(
            scripts: [
                [.text("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n")],
                [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")],
            ])
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in })
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        let request = try Request.make(server.origin)
        _ = try await RetryingClient(recorder, pacing: pacing).send(request)
        #expect(folder.files.count == 2)
        let replayed = try await RetryingClient(ReplayingSender(folder: folder.path), pacing: pacing).send(
            request)
        #expect(replayed.text == "ok" && replayed.attempts == 2)
    }
}

struct RecordingFaultTests {
    private let folder = ScratchFolder()

    private func check(_ expected: RecordingError, _ body: () throws -> Void) {
        #expect(throws: expected, performing: body)
        let diagnostic = expected.diagnostic
        #expect(diagnostic.id == "transport.recording" && diagnostic.hints.count == 1)
        #expect(!diagnostic.summary.hasSuffix("."))
    }

    private func good() throws -> Exchange {
        let request = try Request.make("https://a.b/")
        return Exchange(1, request, .success(Response(status: 200, address: request.address)))
    }

    @Test func foldersThatCannotServeAreReported() throws {
        let path = folder.path
        check(.notReadable(path: path)) { _ = try ReplayingSender(folder: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        check(.empty(path: path)) { _ = try ReplayingSender(folder: path) }
        try folder.write(Array(JSONEncoder().encode(good())), to: "000001.json")
        check(.notEmpty(path: path)) { _ = try RecordingSender(Client.make(), folder: path) }
        check(.notWritable(path: "/proc/none", reason: "the folder cannot be made")) {
            _ = try RecordingSender(Client.make(), folder: "/proc/none")
        }
        let file = "\(path)/000001.json"
        check(.notWritable(path: file, reason: "the folder cannot be made")) {
            _ = try RecordingSender(Client.make(), folder: file)
        }
    }

    @Test(arguments: ["", "{", "[]", "{}", "null", "{\"format\": \"1\"}", "\u{0}"])
    func damagedFilesAreReported(text: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.write(Array(text.utf8), to: "000001.json")
        check(
            .damaged(
                path: "\(folder.path)/000001.json", reason: "it lacks what an exchange has, or is not JSON")
        ) { _ = try ReplayingSender(folder: folder.path) }
    }

    @Test func otherFormsAreReported() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        var later = try good()
        later.format = 2
        try folder.write(Array(JSONEncoder().encode(later)), to: "000001.json")
        check(.format(path: "\(folder.path)/000001.json", number: 2)) {
            _ = try ReplayingSender(folder: folder.path)
        }
        var neither = try good()
        neither.response = nil
        try folder.write(Array(JSONEncoder().encode(neither)), to: "000001.json")
        check(
            .damaged(
                path: "\(folder.path)/000001.json", reason: "it must have either a response or a failure")
        ) { _ = try ReplayingSender(folder: folder.path) }
    }

    @Test func aRecordingThatFailsKeepsTheResponse() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let recorder = try RecordingSender(Client.make(), folder: folder.path)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try await recorder.send(.make(server.origin)).text == "ok")
        guard case .notWritable(let path, _)? = recorder.fault else {
            Issue.record("no fault")
            return
        }
        #expect(path == "\(folder.path)/000001.json")
        await server.stop()
    }
}
