/// A count of something in a message, without commas between thousands: `1 day`, `2200 days`, `3 summaries`.
///
/// - Parameter plural: the word for more than one; nil when it is the noun and an `s`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
