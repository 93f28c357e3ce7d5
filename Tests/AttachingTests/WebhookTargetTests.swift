import AppHealth
import Cryptography
import Foundation
import LoopbackServer
import Publishing
import Synchronization
import Testing
import Transport

@testable import Attaching

struct WebhookTargetTests {
    private static let raw = Array("0123456789abcdef0123456789abcdef".utf8)

    /// A receiver checks both signatures by itself.
    @Test(arguments: ["whsec_" + Data(raw).base64EncodedString(), "any text"])
    func signsWhatItSends(key: String) async throws {
        let server = try await LoopbackServer.start(answering: StubResponse(status: 204))
        let target = try AttachDescriptor.webhook.make(
            testSetup(secrets: ["url": server.origin + "/in/SECRETPATH", "key": key]))
        let (ledger, sample) = (TestLedger(), AttachedSummary.sample(.day, "2026-11-19"))
        #expect(await attaching(sample, to: target, ledger) == "attached")
        let request = try #require(server.requests.first)
        let id = try #require(request.header("webhook-id")),
            time = try #require(request.header("webhook-timestamp"))
        #expect(id.hasPrefix("msg_") && time == "\(runAt.secondsSinceEpoch)")
        let bytes = key.hasPrefix("whsec_") ? Self.raw : Array(key.utf8)
        let standard = authenticationCode(
            for: Array("\(id).\(time).".utf8) + request.body, key: bytes)
        #expect(request.header("webhook-signature") == "v1," + Data(standard).base64EncodedString())
        let hub = authenticationCode(for: request.body, key: Array(key.utf8))
        #expect(
            request.header("X-Hub-Signature-256") == "sha256="
                + hub.map { String(format: "%02x", $0) }.joined())
        let body = json(request.body)
        #expect(body["format"] as? String == "plimsoll-summary" && body["version"] as? Int == 1)
        #expect(body["about"] as? String == "day" && body["app"] as? String == "lamp")
        #expect(body["subject"] as? String == "2026-11-19" && body["audience"] as? String == "team")
        #expect(body.keys.contains("verdict") == false)
        #expect(body["asksForAttention"] as? Bool == true && body["isCorrection"] as? Bool == false)
        #expect((body["markdown"] as? String)?.hasPrefix("### Lamp 2026-11-19") == true)
        // The id of a repetition is the same, so that a receiver can drop it.
        #expect(await attaching(sample, to: target, ledger, again: true) == "attached")
        #expect(server.requests.map { $0.header("webhook-id") } == [id, id])
        await server.stop()
    }

    /// A receiver need not read the text to learn whether a release is stopped.
    @Test(arguments: [("go", false), ("hold", true), ("roll back", true), ("not enough data", false)])
    func namesTheVerdictOfARelease(verdict: String, asks: Bool) async throws {
        let server = try await LoopbackServer.start(answering: StubResponse(status: 204))
        let target = try AttachDescriptor.webhook.make(
            testSetup(secrets: ["url": server.origin + "/in", "key": "any text"]))
        var sample = AttachedSummary.sample()
        (sample.release, sample.asksForAttention) = (ReleaseTraits(verdict: verdict), asks)
        #expect(await attaching(sample, to: target, TestLedger()) == "attached")
        let body = json(try #require(server.requests.first).body)
        #expect(body["about"] as? String == "release" && body["verdict"] as? String == verdict)
        #expect(body["asksForAttention"] as? Bool == asks)
        await server.stop()
    }

    /// Receivers refuse what was signed minutes ago: each attempt has its own time, and the same id.
    @Test(arguments: [403, 429])
    func everyAttemptIsSignedAgain(status: Int) async throws {
        let attempts = Mutex(0)
        let server = try await LoopbackServer.start { _ in
            let number = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            return number < 3
                ? .text("", status: status, headers: [("Retry-After", "40")]) : StubResponse(status: 204)
        }
        let seconds = Mutex(runAt.secondsSinceEpoch)
        var setup = testSetup(secrets: ["url": server.origin + "/in", "key": "any text"], attempts: 5)
        setup.pacing = Pacing(
            now: { seconds.withLock { $0 } }, random: { 0 },
            sleep: { milliseconds in seconds.withLock { $0 += milliseconds / 1000 } })
        let target = try AttachDescriptor.webhook.make(setup)
        #expect(await attaching(.sample(.day, "2026-11-19"), to: target, TestLedger()) == "attached")
        let requests = server.requests
        #expect(requests.count == 3 && Set(requests.map { $0.header("webhook-id") }).count == 1)
        for (number, request) in requests.enumerated() {
            let (id, time) = (
                try #require(request.header("webhook-id")), "\(runAt.secondsSinceEpoch + number * 40)"
            )
            #expect(request.header("webhook-timestamp") == time)
            let code = authenticationCode(
                for: Array("\(id).\(time).".utf8) + request.body, key: Array("any text".utf8))
            #expect(request.header("webhook-signature") == "v1," + Data(code).base64EncodedString())
        }
        await server.stop()
    }

    /// The signature of a known message, made by hand with the standard's own rule.
    @Test func signatureIsThatOfTheStandard() throws {
        let signature = WebhookSignature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8),
            key: try #require(.init("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        #expect(signature.standard == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
