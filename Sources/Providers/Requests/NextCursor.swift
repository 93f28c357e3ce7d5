import Foundation

/// Where a list that is read by cursors goes on.
enum NextCursor: Equatable, Sendable {
    /// Nowhere: the list is whole.
    case none
    /// At this cursor, on the address that was asked.
    case cursor(String)
    /// Somewhere, but the header does not say where.
    case missing

    /// The longest cursor that is sent back.
    private static let longest = 1_000

    /// Reads `Link` headers as Sentry and GlitchTip write them: `results` says whether there is a next page, a
    /// link to it stands there always. Only the cursor is taken: the link's host may be an inner one.
    init(in headers: [String]) {
        guard let link = headers.lazy.flatMap(links).first(where: \.isNext) else {
            self = .none
            return
        }
        let cursor = link.parameters["cursor"] ?? Self.cursor(in: link.target)
        switch (link.parameters["results"], cursor) {
        case ("false", _), (nil, nil): self = .none
        case (_, let cursor?) where !cursor.isEmpty && cursor.utf8.count <= Self.longest:
            self = .cursor(cursor)
        default: self = .missing
        }
    }

    private static func cursor(in target: String) -> String? {
        let query = target.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").first { $0.hasPrefix("cursor=") }
            .flatMap { $0.dropFirst("cursor=".count).removingPercentEncoding }
    }
}
