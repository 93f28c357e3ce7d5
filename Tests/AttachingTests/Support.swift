import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Markup
import Publishing
import Synchronization
import Transport

@testable import Attaching

/// The instant of the tests' runs.
let runAt = Instant(secondsSinceEpoch: 1_795_328_400)

extension AttachedSummary {
    /// A summary of Lamp.
    static func sample(
        _ kind: AttachmentKey.Kind = .release, _ subject: String = "4.3.0", text: String = "Hold. 96.1%",
        rows: Int = 2, gist: String = "hold", title: String = "Crash in <Lamp> & co @all",
        isForTeam: Bool = true
    ) -> AttachedSummary {
        let table = BlockTable(
            [.init("Issue"), .init("Users", isNumber: true)], name: 0,
            rows: (0..<rows).map {
                [[.link("\(title) \($0)", to: "https://stability.example/i/\($0).html")], [.text("\($0)")]]
            })
        let blocks: [Block] = [
            .heading([.text("Lamp \(subject): "), .strong("▼ Below target")], level: 3),
            .lines([[.text(text)], [.text("Second line.")]]),
            .table(table),
            .folded(title: "New (1)", [.list([[.strong("New:"), .text(" one")]])]),
            .lines([
                [.text("Data as of 06:00 UTC · "), .link("Page", to: "https://stability.example/p.html")]
            ]),
        ]
        return AttachedSummary(
            kind, of: subject, app: "lamp", reader: "team", isForTeam: isForTeam, asksForAttention: true,
            gist: Gist(gist), blocks: blocks, page: "https://stability.example/p.html"
        ) { limit, reason in
            fittingText(blocks, limit: limit, because: reason) { documentText($0, in: .github) }.text
        }
    }
}

/// Sends over real sockets, and loses some answers on the way back.
struct LosingSender: Sender {
    let base: Client
    /// Whether the answer to a request is lost, or the request is never sent, by its number from 1.
    let fault: @Sendable (Int, Request) -> Loss?
    let count = Counter()

    enum Loss: Sendable { case answer, request }

    final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        switch fault(count.next(), request) {
        case .request?:
            throw TransportError(.refused, request.address, doing: "connecting", redaction: request.redaction)
        case .answer?:
            _ = try await base.send(request)
            throw TransportError(
                .reset, request.address, doing: "waiting for the response", redaction: request.redaction)
        case nil: return try await base.send(request)
        }
    }
}

/// What targets of the tests are made from.
func testSetup(
    _ texts: [String: String] = [:], secrets: [String: String] = [:], flags: [String: Bool] = [:],
    environment: [String: String] = [:], attempts: Int = 1, waits: Waits = Waits(),
    losing fault: @escaping @Sendable (Int, Request) -> LosingSender.Loss? = { _, _ in nil }
) -> TargetSetup {
    var values: [String: TargetSetup.Value] = texts.mapValues { .text($0) }
    for (key, secret) in secrets { values[key] = Secret(secret).map { .secret($0) } }
    for (key, flag) in flags { values[key] = .flag(flag) }
    var retries = RetryPolicy()
    (retries.attempts, retries.capMilliseconds, retries.failedRequestsInARow) = (attempts, 0, 1000)
    var options = Client.Options(version: "1.2.3")
    options.usesProxy = false
    let sender = LosingSender(base: Client(options), fault: fault)
    let pacing = Pacing(
        now: { runAt.secondsSinceEpoch }, random: { 0.5 },
        sleep: { milliseconds in waits.add(milliseconds) })
    return TargetSetup(
        id: "place", values: values, folder: "/", environment: environment, retries: retries, pacing: pacing
    ) { _ in sender }
}

/// The waits that were asked for, which the tests do not sit out.
final class Waits: Sendable {
    private let all = Mutex<[Int]>([])
    func add(_ milliseconds: Int) { all.withLock { $0.append(milliseconds) } }
    var milliseconds: [Int] { all.withLock { $0 } }
}

/// The ledger of one target, as the archive would keep it.
final class TestLedger: Sendable {
    private let rows = Mutex<[AttachmentEntry]>([])
    var entries: [AttachmentEntry] { rows.withLock { $0 } }
    var states: [AttachmentEntry.State] { entries.map(\.state) }
    var known: AttachLedger { AttachLedger(entries) }
    func keep(_ entry: AttachmentEntry) { rows.withLock { $0.append(entry) } }
}

/// Attaches and gives how it ended in a word; of a failure its id.
func attaching(
    _ summary: AttachedSummary, to target: any AttachTarget, _ ledger: TestLedger, again: Bool = false,
    isDryRun: Bool = false, namesReader: Bool = true
) async -> String {
    let outcome = await attach(
        summary, to: target, named: "place", knowing: ledger.known,
        AttachOptions(
            at: runAt, isDryRun: isDryRun, again: again ? .everything : .nothing, namesReader: namesReader)
    ) { entry throws(Diagnostic) in ledger.keep(entry) }
    return outcome.word
}

extension AttachOutcome {
    var word: String {
        switch state {
        case .sent(.replaced): "updated"
        case .sent: "attached"
        case .planned: "planned"
        case .unchanged: "unchanged"
        case .absent(let why): why
        case .failed(let why): why.id
        }
    }
}

/// A value of JSON.
func json(_ body: [UInt8]) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
}
