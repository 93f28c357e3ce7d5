import LoopbackServer
import Testing

@testable import Transport

/// Servers by whose clock it is another day.
struct ClockCheckedClientTests {
    private struct Row: Sendable {
        var date: String?
        var age: String?
        /// Seconds since 1970 by this machine: 2026-11-20T06:00:00Z, and later.
        var now = 1_795_154_400
        /// What the failure says; nil where there is none.
        var says: String?
        /// By how much this machine is held to be ahead.
        var ahead: Int?
    }

    private static let rows = [
        Row(date: "Fri, 20 Nov 2026 06:00:00 GMT"),
        Row(date: "Fri, 20 Nov 2026 23:59:59 GMT"),
        Row(date: "Fri, 20 Nov 2026 06:00:00 GMT", now: 1_795_154_400 + 86_399),
        Row(
            date: "Fri, 20 Nov 2026 06:00:00 GMT", now: 1_795_154_400 + 86_400,
            says: "this machine's clock is 1 day ahead of the server's", ahead: 86_400),
        Row(
            date: "Mon, 20 Nov 2028 06:00:00 GMT",
            says: "this machine's clock is 731 days behind the server's", ahead: -731 * 86_400),
        // A cache has had the response for two days.
        Row(date: "Wed, 18 Nov 2026 06:00:00 GMT", age: "172800"),
        Row(
            date: "Wed, 18 Nov 2026 06:00:00 GMT", age: "-172800",
            says: "this machine's clock is 2 days ahead of the server's", ahead: 172_800),
        Row(date: "Wed, 18 Nov 2026 06:00:00 GMT", age: "\(Int.max)", says: "this machine's clock is"),
        Row(date: "yesterday"),
        Row(date: nil),
    ]

    @Test(arguments: rows)
    private func aResponseOfAnotherDayIsRefused(row: Row) async throws {
        let head = [
            "HTTP/1.1 200 OK", row.date.map { "Date: \($0)" }, row.age.map { "Age: \($0)" },
            "Content-Length: 2",
        ]
        let server = try FaultServer.start(
            .text(head.compactMap(\.self).joined(separator: "\r\n") + "\r\n\r\nok"))
        let clocks = ComparedClocks()
        let client = ClockCheckedClient(Client.make(), clocks) { row.now }
        let error = await failure(of: try .make(server.origin), by: client)
        #expect(error?.kind == (row.says == nil ? nil : .clock))
        if let says = row.says {
            #expect(error?.text.hasPrefix(says) == true, "\(error?.text ?? "")")
            #expect(error?.endsRun == true)
        }
        if let ahead = row.ahead { #expect(clocks.machineAhead == ahead) }
        if row.says == nil { #expect(clocks.machineAhead == nil) }
    }

    /// One server that has this machine's time shows that another one is wrong.
    @Test(arguments: [[0, 400_000], [400_000, 0], [0, -400_000, 500_000]])
    func oneServerThatAgreesIsEnough(differences: [Int]) {
        let clocks = ComparedClocks()
        for difference in differences { _ = clocks.note(ahead: difference) }
        #expect(clocks.machineAhead == nil)
    }

    @Test(arguments: [[400_000, 90_000], [Int.min], [Int.max]])
    func withoutAnyTheClockIsWrong(differences: [Int]) {
        let clocks = ComparedClocks()
        for difference in differences { #expect(!clocks.note(ahead: difference)) }
        #expect(clocks.machineAhead == differences[0])
    }
}
