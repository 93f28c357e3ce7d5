import Foundation
import Pages

/// `badge.json`: the badge for services that draw it themselves (the endpoint of shields.io, version 1).
func badgeBytes(_ badge: BadgeDocument) -> [UInt8] {
    let file = BadgeFile(
        label: badge.label, message: badge.message, color: badge.colour,
        isError: badge.isFailure)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return ((try? encoder.encode(file)).map { [UInt8]($0) } ?? []) + [UInt8(ascii: "\n")]
}

private struct BadgeFile: Encodable {
    let schemaVersion = 1
    let label: String
    let message: String
    let color: String
    let isError: Bool
}
