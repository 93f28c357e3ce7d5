import Foundation

/// One report that is requested: its columns, and what a person calls it.
struct Ga4Query: Sendable {
    var dimensions: [String]
    var metrics: [String]
    /// Whether rows in which everything is zero are wanted.
    var keepsEmptyRows = true
    /// Whether the users of web pages are excluded: only apps report crashes.
    var isOfApps = false
    var part: String

    /// Use by day.
    static let usage = Ga4Query(
        dimensions: ["date"],
        metrics: ["active1DayUsers", "active7DayUsers", "active28DayUsers", "newUsers", "sessions"],
        part: "active users and sessions")
    /// All and affected users by day.
    static let health = Ga4Query(
        dimensions: ["date"], metrics: healthMetrics, isOfApps: true, part: "users with crashes")
    /// The same by version. Empty rows would be every version on every day.
    static let releaseHealth = Ga4Query(
        dimensions: ["date", "appVersion"], metrics: healthMetrics, keepsEmptyRows: false, isOfApps: true,
        part: "users with crashes by version")

    /// The data streams of apps that had users.
    static let streams = Ga4Query(
        dimensions: ["streamId", "streamName"], metrics: ["totalUsers"], keepsEmptyRows: false,
        isOfApps: true,
        part: "data streams")

    /// The rate is of all users, not of the active ones; it is requested to be held against the counts.
    static let healthMetrics = ["crashAffectedUsers", "crashFreeUsersRate", "totalUsers"]
}

/// The body of `POST properties/{id}:runReport`.
struct Ga4Request: Encodable, Sendable {
    var dimensions: [Name]
    var metrics: [Name]
    var dateRanges: [Dates]
    var dimensionFilter: Filter?
    var orderBys: [Order]
    /// Otherwise days on which everything is zero are not sent.
    var keepEmptyRows: Bool
    var limit: String
    var offset: String

    struct Name: Encodable, Sendable {
        var name: String
    }

    /// Days relative to the service's today, in the property's zone, which is not known before its first response.
    struct Dates: Encodable, Sendable {
        var startDate: String
        var endDate = "yesterday"
    }

    struct Order: Encodable, Sendable {
        var dimension: Dimension

        struct Dimension: Encodable, Sendable {
            var dimensionName: String
        }
    }

    /// A filter, the opposite of one, or several that all hold.
    indirect enum Filter: Encodable, Sendable {
        case field(String, value: String)
        case not(Filter)
        case all([Filter])

        private enum CodingKeys: String, CodingKey {
            case filter, notExpression, andGroup
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .field(let name, let value):
                try members.encode(Field(fieldName: name, stringFilter: .init(value: value)), forKey: .filter)
            case .not(let filter): try members.encode(filter, forKey: .notExpression)
            case .all(let filters): try members.encode(["expressions": filters], forKey: .andGroup)
            }
        }

        private struct Field: Encodable {
            var fieldName: String
            var stringFilter: Match
        }

        private struct Match: Encodable {
            var value: String
            var matchType = "EXACT"
        }
    }

    init(_ query: Ga4Query, of configuration: Ga4Configuration, offset: Int) {
        dimensions = query.dimensions.map(Name.init)
        metrics = query.metrics.map(Name.init)
        orderBys = query.dimensions.map { Order(dimension: .init(dimensionName: $0)) }
        keepEmptyRows = query.keepsEmptyRows
        dateRanges = [Dates(startDate: "\(max(1, min(configuration.days, 365)))daysAgo")]
        let filters =
            (configuration.stream.map { [Filter.field("streamId", value: $0)] } ?? [])
            + (query.isOfApps ? [.not(.field("platform", value: "web"))] : [])
        dimensionFilter = filters.count > 1 ? .all(filters) : filters.first
        limit = String(max(1, min(configuration.rowsOfPage, 250_000)))
        self.offset = String(offset)
    }

    /// The request with this body.
    static func call(_ query: Ga4Query, of configuration: Ga4Configuration, offset: Int) -> ServiceCall {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let request = Ga4Request(query, of: configuration, offset: offset)
        let body = (try? encoder.encode(request)).map { [UInt8]($0) } ?? []
        return ServiceCall.google(
            ["v1beta", "properties", "\(configuration.property):runReport"], body: body, part: query.part)
    }

    /// Which metrics the property has, and which of them the account may not see.
    static func metrics(of configuration: Ga4Configuration) -> ServiceCall {
        ServiceCall.google(
            ["v1beta", "properties", configuration.property, "metadata"], part: "the list of metrics")
    }
}
