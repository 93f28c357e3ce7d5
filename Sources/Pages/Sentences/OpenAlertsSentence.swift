import Analysis
import Formatting

/// `Open alert: Issue Velocity Alert, Sat, Oct 31, 2026: An issue in Atomic.swift line 54 is affecting …`: the newest of the
/// open alerts on a release; nil without any.
func openAlertsSentence(_ alerts: [Event], counts: Audience.Display) -> String? {
    guard !alerts.isEmpty else { return nil }
    let texts = alerts.prefix(3).map {
        "\($0.title), \($0.occasion.day.compactText): \($0.sentence(counts: counts))"
    }
    let more = alerts.count - texts.count
    return (alerts.count == 1 ? "Open alert: " : "Open alerts: ") + texts.joined(separator: " ")
        + (more > 0 ? " \(countText(more)) more." : "")
}
