import Diagnostics
import LoopbackServer
import Testing

@testable import Transport

struct ClientTests {
    @Test func getsStatusHeadersAndBody() async throws {
        let server = try await LoopbackServer.start { _ in
            StubResponse(
                status: 207, headers: [("X-Twice", "a"), ("X-Twice", "b")], body: Array("über".utf8))
        }
        let response = try await Client.make().send(
            .make(server.origin + "/p%20q/?x=%26&y").with("X-Ask", "1"))
        #expect(response.status == 207 && response.text == "über" && response.httpVersion == "1.1")
        #expect(response.headers.values(for: "x-twice").joined(separator: ", ") == "a, b")
        #expect(response.newConnections == 1 && response.address.text == server.origin + "/p%20q/?x=%26&y")
        let asked = try #require(server.requests.first)
        #expect(
            asked.method == "GET" && asked.target == "/p%20q/?x=%26&y" && asked.path == "/p q/"
                && asked.header("x-ask") == "1")
        #expect(asked.header("User-Agent") == "plimsoll/1.2.3")
        #expect(asked.header("Accept-Encoding")?.contains("gzip") == true)
        await server.stop()
    }

    @Test func postsABody() async throws {
        let server = try await LoopbackServer.start { .text("\($0.method) \($0.text)") }
        let client = Client.make()
        let full = try Request.make(server.origin, .post, body: "{\0}").with(
            "Content-Type", "application/json")
        #expect(try await client.send(full).text == "POST {\0}")
        #expect(try await client.send(.make(server.origin, .post)).text == "POST ")
        #expect(server.requests.map { $0.header("Content-Type") } == ["application/json", nil])
        #expect(server.requests.map { $0.header("Content-Length") } == ["3", "0"])
        #expect(server.requests.allSatisfy { $0.header("Expect") == nil })
        await server.stop()
    }

    @Test func sendsEmptyHeaderValues() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        _ = try await Client.make().send(.make(server.origin).with("X-Empty", ""))
        #expect(server.requests.first?.header("X-Empty") == "")
        await server.stop()
    }

    @Test func decompresses() async throws {
        let packed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161, 202,
            9, 19, 0, 0,
            0,
        ]
        let server = try await LoopbackServer.start(
            answering: StubResponse(headers: [("Content-Encoding", "gzip")], body: packed))
        #expect(try await Client.make().send(.make(server.origin)).text == "hello, hello, hello")
        await server.stop()
    }

    @Test func reusesConnectionsAndHoldsTheHostLimit() async throws {
        let server = try await LoopbackServer.start { .text($0.path) }
        let client = Client.make { $0.transfersPerHost = 3 }
        let responses = try await withThrowingTaskGroup(of: Response.self) { group in
            for number in 0..<200 {
                let request = try Request.make("\(server.origin)/\(number)")
                group.addTask { try await client.send(request) }
            }
            return try await group.reduce(into: [Response]()) { $0.append($1) }
        }
        #expect(Set(responses.map(\.text)).count == 200)
        #expect(server.requests.count == 200 && server.connectionCount <= 3)
        #expect(responses.map(\.newConnections).reduce(0, +) == server.connectionCount)
        await server.stop()
    }

    @Test func readsFilesOnlyWhenAllowed() async throws {
        let request = try Request.make("file://\(#filePath)")
        let response = try await Client.make { $0.allowsFiles = true }.send(request)
        #expect(response.status == 200 && response.text.contains("readsFilesOnlyWhenAllowed"))
        #expect(await failure(of: request, by: Client.make())?.kind == .scheme)
    }

    @Test(arguments: ["file:///dev/zero", "file:///does/not/exist", "file:///", "file:///etc"])
    func readsNoDevicesAndFolders(text: String) async throws {
        let error = await failure(of: try .make(text), by: Client.make { $0.allowsFiles = true })
        #expect(error?.kind == .file)
    }

    @Test func fileThatIsTooLargeIsNamedAsOne() async throws {
        var request = try Request.make("file://\(#filePath)")
        request.limits.bodyBytes = 100
        let error = await failure(of: request, by: Client.make { $0.allowsFiles = true })
        #expect(error?.kind == .tooLarge && error?.hint == "write fewer days or fewer issues to one file")
        #expect(error.map { "\($0.diagnostic)" }?.contains("the file has more than 100 bytes") == true)
    }

    @Test func fileToSendThatIsGoneIsNamed() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        var request = try Request.make(server.origin, .put)
        request.bodyFile = BodyFile(path: "/nowhere/report.csv", size: 1, sha256: "")
        let error = await failure(of: request, by: Client.make())
        #expect(error?.kind == .file && error?.text == "/nowhere/report.csv")
        #expect(error?.diagnostic.hints == ["check that the path names a readable file"])
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test func closingFailsWhatIsUnderWay() async throws {
        let server = try FaultServer.start(.stall)
        let client = Client.make()
        let request = try Request.make(server.origin)
        async let error = failure(of: request, by: client)
        for await _ in server.arrivals { break }
        await client.close()
        #expect(await error?.kind == .closed)
        #expect(await failure(of: request, by: client)?.kind == .closed)
    }

    @Test func goesAwayWhileIdle() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        for _ in 0..<5 { #expect(try await Client.make().send(.make(server.origin)).text == "ok") }
        #expect(server.connectionCount == 5)
        await server.stop()
    }

    @Test func cancellingTheTaskCancelsTheTransfer() async throws {
        let server = try FaultServer.start(.stall)
        let client = Client.make { $0.transfersPerHost = 1 }
        let request = try Request.make(server.origin)
        let running = Task { await failure(of: request, by: client) }
        for await _ in server.arrivals { break }
        let waiting = Task { await failure(of: request, by: client) }
        waiting.cancel()
        #expect(await waiting.value?.kind == .canceled)
        running.cancel()
        #expect(await running.value?.kind == .canceled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(of: request, by: client)
        }
        #expect(await early.value?.kind == .canceled)
    }
}
