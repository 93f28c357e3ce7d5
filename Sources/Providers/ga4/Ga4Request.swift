import Foundation

/// The body of `POST properties/{id}:runReport`: use by day.
struct Ga4Request: Encodable, Sendable {
    /// The metrics that are asked for, each with what it fills.
    static let metrics = [
        "active1DayUsers", "active7DayUsers", "active28DayUsers", "newUsers", "sessions",
    ]

    var dimensions = [Name(name: "date")]
    var metrics = Self.metrics.map { Name(name: $0) }
    var dateRanges: [Dates]
    var dimensionFilter: Filter?
    var orderBys = [Order()]
    /// Otherwise days on which everything is zero are not sent.
    var keepEmptyRows = true
    var limit: String
    var offset: String

    struct Name: Encodable, Sendable {
        var name: String
    }

    /// Days relative to the service's today, in the property's zone, which is not known before it answers.
    struct Dates: Encodable, Sendable {
        var startDate: String
        var endDate = "yesterday"
    }

    struct Order: Encodable, Sendable {
        var dimension = Dimension()

        struct Dimension: Encodable, Sendable {
            var dimensionName = "date"
        }
    }

    struct Filter: Encodable, Sendable {
        var filter: Field

        struct Field: Encodable, Sendable {
            var fieldName: String
            var stringFilter: Match
        }

        struct Match: Encodable, Sendable {
            var value: String
            var matchType = "EXACT"
        }
    }

    init(_ configuration: Ga4Configuration, offset: Int) {
        dateRanges = [Dates(startDate: "\(max(1, min(configuration.days, 365)))daysAgo")]
        dimensionFilter = configuration.stream.map {
            Filter(filter: .init(fieldName: "streamId", stringFilter: .init(value: $0)))
        }
        limit = String(max(1, min(configuration.rowsOfPage, 250_000)))
        self.offset = String(offset)
    }

    /// The request with this body.
    static func call(_ configuration: Ga4Configuration, offset: Int) -> ServiceCall {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body =
            (try? encoder.encode(Ga4Request(configuration, offset: offset))).map { [UInt8]($0) } ?? []
        return ServiceCall.google(
            ["v1beta", "properties", "\(configuration.property):runReport"], body: body,
            part: "active users and sessions")
    }
}
