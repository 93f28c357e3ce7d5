import Diagnostics
import Pages

/// `badge.json`: the badge for services that draw it themselves (the endpoint of shields.io, version 1).
func badgeBytes(_ badge: BadgeDocument) throws(Diagnostics) -> [UInt8] {
    let file = BadgeFile(
        label: badge.label, message: badge.message, color: badge.color,
        isError: badge.isFailure)
    return try jsonFile(file)
}

private struct BadgeFile: Encodable {
    let schemaVersion = 1
    let label: String
    let message: String
    let color: String
    let isError: Bool
}
