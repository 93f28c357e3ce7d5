/// One value of a row, as SQLite stores it.
enum Field: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    var isNull: Bool { if case .null = self { true } else { false } }

    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: Int?) { self.init(value.map { Int64($0) }) }
    init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
}
