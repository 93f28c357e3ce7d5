import Diagnostics
import Foundation
import Transport

/// The response to a query, `JSONCompact`: its columns, its rows, and at the end how many there are.
struct ClickHouseAnswer: Decodable, Sendable {
    struct Column: Decodable, Sendable {
        var name: WireName
        var type: WireLine
    }

    var meta: [Column]
    var data: LossyArray<[WarehouseCell]>
    /// Missing when the response was cut off.
    var rows: Count?

    /// The columns with what their values are. A time without a zone is in UTC for a server that writes it so.
    var columns: [AnsweredColumn] {
        meta.map {
            AnsweredColumn(name: $0.name.text, type: $0.type.text, kind: clickHouseKind(of: $0.type.text))
        }
    }
}

/// An error that the server writes: `Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE)`.
struct ClickHouseError: Hashable, Sendable {
    let code: Int
    let message: String

    /// What a text says; nil when it holds no error of the server. After rows the error is at the end.
    init?(_ text: String) {
        let tail = text.suffix(4_000)
        guard let start = tail.range(of: "Code: ", options: .backwards) else { return nil }
        let digits = tail[start.upperBound...].prefix(while: \.isNumber)
        guard let code = Int(digits) else { return nil }
        self.code = code
        let rest = tail[start.upperBound...].dropFirst(digits.count)
        let words = rest.range(of: "DB::Exception: ").map { rest[$0.upperBound...] } ?? rest
        let end = words.range(of: ", e.what()")?.lowerBound ?? words.endIndex
        message = String(words[..<end].prefix { $0 != "\n" }.prefix(Self.mostShown))
    }

    /// After what went wrong the server repeats the query, and lists all that it would have expected there.
    private static let mostShown = 200

    /// What to do about it; nil when nothing is known.
    var hint: String? {
        switch code {
        case _ where isOfLogin: "check 'user' and 'password'"
        case 497, 291: "grant the user SELECT on the tables"
        case 60, 81: "check 'database' and the names of the tables; the manual has the schema"
        case 47, 16: "check the names of the columns"
        case 164: "write a query that only reads, for a user whose profile has readonly = 2"
        case 159, 160: "raise 'seconds', or request fewer days"
        case 241: "raise 'maximumMemory', request fewer days, or set 'distinct: approximate'"
        case 158, 307: "raise 'maximumBytes', or request fewer days"
        case 396: "request fewer days or fewer issues"
        case 201: "wait until the user's quota begins again, as the message says, or raise the quota"
        case 202, 209, 210, 173, 236, 242, 243, 279, 394, 439, 999: "fetch again later"
        default: nil
        }
    }

    /// Whether it does not know the user, so that no query is worth a request: what else it refuses with the same status
    /// is one table, or one query.
    var isOfLogin: Bool { [516, 192, 193, 194].contains(code) }

    /// Whether the next query of the run would be refused too: it does not know the user, or the user's quota is used up,
    /// from which refused queries are taken as well.
    var endsRound: Bool { isOfLogin || code == 201 }

    /// Whether it ended a query as that read more than it may.
    var isOfBytes: Bool { [158, 307].contains(code) }

    /// Whether the server said that it did not begin, so that the same may be sent again.
    var mayRepeat: Bool { [202, 209, 210, 216].contains(code) }
}

extension ServiceProfile {
    /// The server's.
    static func clickHouse(user: String) -> ServiceProfile {
        ServiceProfile(
            provider: ClickHouseProvider.name, origin: .query,
            hints: [401: "check 'user' and 'password'", 403: "check 'user' and 'password'"],
            explain: { _, response in
                guard let error = ClickHouseError(response.redaction.masked(response.text)) else {
                    return .init()
                }
                return RefusalExplanation(
                    said: [printable("Code \(error.code): \(error.message)")], hints: error.hint.map { [$0] },
                    endsRun: error.endsRound)
            },
            ownRefusals: OwnRefusals("clickhouse") { response in
                response.headers["X-ClickHouse-Exception-Code"] != nil
                    || ClickHouseError(response.text) != nil
            },
            headers: [("X-ClickHouse-User", user)], halting: [401, 403],
            budgetHint: "request fewer queries")
    }
}
